import { decryptSecrets, decryptSentHeaders, type ConfigRow } from '../config/config-row.ts'
import type { EncryptionKeys } from '../config/encrypt.ts'
import type { Call } from './call-receiver.ts'
import type { Payload } from './payload.ts'
import { signatureHeaders } from './sign.ts'

const userAgent = 'Garment-Tagging-Webhook/1.0'

/** The request for one attempt. The service's own headers are set last, so that they replace custom ones. */
export async function buildCall(
  keys: EncryptionKeys,
  config: ConfigRow,
  deliveryId: string,
  { event, body }: Payload,
  nowMs: number,
): Promise<Call> {
  const headers = new Headers(await decryptSentHeaders(config, keys))
  const [secret, ...others] = await decryptSecrets(config, keys, nowMs)
  const signature =
    secret === undefined ? {} : await signatureHeaders({ id: deliveryId, body, secrets: [secret, ...others], nowMs })
  const ownHeaders = {
    'Content-Type': 'application/json',
    'User-Agent': userAgent,
    'X-Webhook-Event': event,
    'X-Delivery-ID': deliveryId,
    ...signature,
  }
  for (const [name, value] of Object.entries(ownHeaders)) headers.set(name, value)
  return { url: config.url, headers, body }
}
