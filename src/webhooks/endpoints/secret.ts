import { fieldSentences, withoutControlCharacters } from '../../platform/http/validation.ts'

const maxSecretLength = 256

/** Standard Webhooks marks a secret that is base64 of the key with this prefix. Nothing else is treated as base64. */
const prefix = 'whsec_'
const minKeyBytes = 24
const maxKeyBytes = 64

/** Why this secret cannot be used, as the end of a sentence, or null. The empty secret means no signature. */
export function secretProblem(secret: string): string | null {
  if (secret.length > maxSecretLength) return `must have at most ${maxSecretLength} characters`
  // Such as the line end of a pasted one, which a receiver's settings do not keep.
  if (!withoutControlCharacters.test(secret)) return fieldSentences.control_characters()
  // Such as a blank, a version, a quote or capitals, which a receiver's library takes for a part of the key.
  if (!secret.startsWith(prefix) && secret.toLowerCase().includes(prefix))
    return `must begin with "${prefix}" as it is, or not contain it`
  if (!secret.startsWith(prefix)) return null
  const encoded = secret.slice(prefix.length)
  const wellFormed = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/.test(encoded)
  const bytes = wellFormed ? Uint8Array.fromBase64(encoded).length : 0
  return bytes >= minKeyBytes && bytes <= maxKeyBytes
    ? null
    : `must be base64 of ${minKeyBytes} to ${maxKeyBytes} bytes after "${prefix}"`
}

/** The HMAC key of a secret that has no problem: the decoded bytes after `whsec_`, else the text's UTF-8 bytes. */
export function secretKey(secret: string): Uint8Array {
  return secret.startsWith(prefix)
    ? Uint8Array.fromBase64(secret.slice(prefix.length))
    : new TextEncoder().encode(secret)
}

/** The length of a SHA-256 digest: a longer key adds nothing, and Standard Webhooks asks for 24 to 64 bytes. */
const keyBytes = 32

/** A fresh secret in the form of Standard Webhooks, which every receiver's library accepts. */
export function newSecret(): string {
  return `whsec_${crypto.getRandomValues(new Uint8Array(keyBytes)).toBase64()}`
}

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
