import { fieldSentences, withoutControlCharacters } from '../../platform/http/validation.ts'

const maxSecretLength = 256

/** Standard Webhooks marks secrets in base64 with this prefix. Other secrets are text. */
const prefix = 'whsec_'
const minKeyBytes = 24
const maxKeyBytes = 64

/** Returns why a secret cannot be used, as the end of a sentence, or null. An empty secret means no signature. */
export function secretProblem(secret: string): string | null {
  if (secret.length > maxSecretLength) return `must have at most ${maxSecretLength} characters`
  // A pasted secret may end with a line break, which the receiver's settings would drop.
  if (!withoutControlCharacters.test(secret)) return fieldSentences.control_characters()
  // A receiver's library would use a blank, a version or a quote before the prefix as part of the key.
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

/** Returns the HMAC key of a valid secret: the decoded bytes after `whsec_`, or the text's UTF-8 bytes. */
export function secretKey(secret: string): Uint8Array {
  return secret.startsWith(prefix)
    ? Uint8Array.fromBase64(secret.slice(prefix.length))
    : new TextEncoder().encode(secret)
}

/** The length of a SHA-256 digest. Longer keys add nothing, and Standard Webhooks requires 24 to 64 bytes. */
const keyBytes = 32

/** Creates a random secret in the form that all Standard Webhooks libraries accept. */
export function newSecret(): string {
  return `whsec_${crypto.getRandomValues(new Uint8Array(keyBytes)).toBase64()}`
}

export interface Signable {
  /** The receiver's idempotency key, which all attempts share. Contains no full stop. */
  readonly id: string
  readonly body: Uint8Array
  /** The current secret, then former secrets that still sign until receivers have the new one. */
  readonly secrets: readonly [string, ...string[]]
  readonly nowMs: number
}

async function hmac(secret: string, data: Uint8Array): Promise<Uint8Array> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', secretKey(secret), algorithm, false, ['sign'])
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, data))
}

const bodySignature = async (secret: string, body: Uint8Array) => `sha256=${(await hmac(secret, body)).toHex()}`

/**
 * Standard Webhooks 1.0.0: HMAC-SHA256 over `id.timestamp.body` in base64, one `v1,` signature per live secret. The
 * timestamp is the attempt's, in seconds. `X-Webhook-Signature` and `X-Webhook-Signature-Previous` sign the body alone,
 * for receivers without a library.
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
    'X-Webhook-Signature': await bodySignature(secrets[0], body),
    ...(secrets[1] !== undefined && { 'X-Webhook-Signature-Previous': await bodySignature(secrets[1], body) }),
  }
}
