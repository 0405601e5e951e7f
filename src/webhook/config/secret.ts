const maxSecretLength = 256

/** Standard Webhooks marks a secret that is base64 of the key with this prefix. Nothing else is treated as base64. */
const prefix = 'whsec_'
const minKeyBytes = 24
const maxKeyBytes = 64

/** Why this secret cannot be used, as the end of a sentence, or null. The empty secret means no signature. */
export function secretProblem(secret: string): string | null {
  if (secret.length > maxSecretLength) return `must have at most ${maxSecretLength} characters`
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
