import { secretKey } from '../config/secret.ts'

export interface Signable {
  /** The same for all attempts: the receiver's idempotency key. Contains no full stop. */
  readonly id: string
  /** Exactly the bytes that are sent. */
  readonly body: Uint8Array
  /** The current secret first, then those that still sign while receivers change over. */
  readonly secrets: readonly [string, ...string[]]
  readonly nowMs: number
}

async function hmac(secret: string, data: Uint8Array): Promise<Uint8Array> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', secretKey(secret), algorithm, false, ['sign'])
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, data))
}

/**
 * Standard Webhooks 1.0.0: HMAC-SHA256 over `id.timestamp.body` in base64, one `v1,` signature for each live secret,
 * separated by spaces. The timestamp is that of the attempt, in seconds. `X-Webhook-Signature` is the HMAC of the body
 * alone under the first secret, for receivers that verify without a library.
 */
export async function signatureHeaders({ id, body, secrets, nowMs }: Signable): Promise<Record<string, string>> {
  const timestamp = String(Math.floor(nowMs / 1000))
  const head = new TextEncoder().encode(`${id}.${timestamp}.`)
  const signed = new Uint8Array(head.length + body.length)
  signed.set(head)
  signed.set(body, head.length)
  const signatures = await Promise.all(secrets.map(async (secret) => `v1,${(await hmac(secret, signed)).toBase64()}`))
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
    'X-Webhook-Signature': `sha256=${(await hmac(secrets[0], body)).toHex()}`,
  }
}
