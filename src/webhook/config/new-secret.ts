import { toBase64 } from './base64.ts'

/** As many bytes as SHA-256 gives out: more would add nothing, and Standard Webhooks asks for 24 to 64. */
const keyBytes = 32

/** A fresh secret in the form of Standard Webhooks, which every receiver's library takes. */
export function newSecret(): string {
  return `whsec_${toBase64(crypto.getRandomValues(new Uint8Array(keyBytes)))}`
}
