import type { Call } from './call-receiver.ts'
import { openHeaders, openSecrets, type ConfigRow } from '../config/config.ts'
import type { Payload } from './payload.ts'
import { signatureHeaders } from './sign.ts'

const userAgent = 'Garment-Tagging-Webhook/1.0'

/** The request for one attempt. Ours are set after the tenant's own headers, and so replace them. */
export async function buildCall(
  config: ConfigRow,
  deliveryId: string,
  { event, body }: Payload,
  { encryptionKey, nowMs }: { encryptionKey: string; nowMs: number },
): Promise<Call> {
  const headers = new Headers(await openHeaders(config, encryptionKey))
  const [secret, ...others] = await openSecrets(config, encryptionKey, nowMs)
  const signature =
    secret === undefined ? {} : await signatureHeaders({ id: deliveryId, body, secrets: [secret, ...others], nowMs })
  const ours = {
    'Content-Type': 'application/json',
    'User-Agent': userAgent,
    'X-Webhook-Event': event,
    'X-Delivery-ID': deliveryId,
    ...signature,
  }
  for (const [name, value] of Object.entries(ours)) headers.set(name, value)
  return { url: config.url, headers, body }
}
