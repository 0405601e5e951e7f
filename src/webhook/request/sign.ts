import { toBase64 } from '../config/base64.ts'
import { secretKey } from '../config/secret.ts'

export interface Signable {
  /** Constant over all attempts: the receiver's idempotency key. Contains no full stop. */
  readonly id: string
  /** The very bytes that are sent. */
  readonly body: Uint8Array
  /** The one to verify with first, then those that still sign beside it while receivers change over. Not empty. */
  readonly secrets: readonly [string, ...string[]]
  readonly nowMs: number
}

async function hmac(secret: string, data: Uint8Array): Promise<Uint8Array> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', secretKey(secret), algorithm, false, ['sign'])
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, data))
}

/**
 * Standard Webhooks 1.0.0: HMAC-SHA256 over `id.timestamp.body`, base64, one `v1,` signature a live secret, separated by
 * spaces; the timestamp is the attempt's, in seconds. `X-Webhook-Signature` is over the body alone, for receivers that
 * verify by hand, and uses the first secret.
 */
export async function signatureHeaders({ id, body, secrets, nowMs }: Signable): Promise<Record<string, string>> {
  const timestamp = String(Math.floor(nowMs / 1000))
  const head = new TextEncoder().encode(`${id}.${timestamp}.`)
  const signed = new Uint8Array(head.length + body.length)
  signed.set(head)
  signed.set(body, head.length)
  const signatures = await Promise.all(secrets.map(async (secret) => `v1,${toBase64(await hmac(secret, signed))}`))
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
    'X-Webhook-Signature': `sha256=${toHex(await hmac(secrets[0], body))}`,
  }
}

const toHex = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
