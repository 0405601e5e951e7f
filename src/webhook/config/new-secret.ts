/** The length of a SHA-256 digest: a longer key adds nothing, and Standard Webhooks asks for 24 to 64 bytes. */
const keyBytes = 32

/** A fresh secret in the form of Standard Webhooks, which every receiver's library accepts. */
export function newSecret(): string {
  return `whsec_${crypto.getRandomValues(new Uint8Array(keyBytes)).toBase64()}`
}
