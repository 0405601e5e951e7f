import { createHash } from 'node:crypto'

/**
 * `gt_`, 32 base62 characters of randomness (190 bits), 6 of checksum. The checksum lets a mistyped key be refused
 * without any look-up and lets secret scanners recognise a leaked key.
 */
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const randomLength = 32
const checksumLength = 6
export const prefixLength = 9

// Not `crypto.subtle`: hashing so little takes less time than waiting for a promise.
const sha256 = (text: string) => createHash('sha256').update(text).digest()

/** The first 48 bits of the SHA-256 of `body`, modulo 62^6, in base62. */
function checksum(body: string): string {
  let value = sha256(body).readUIntBE(0, 6)
  let text = ''
  for (let i = 0; i < checksumLength; i++) {
    text = alphabet.charAt(value % alphabet.length) + text
    value = Math.floor(value / alphabet.length)
  }
  return text
}

/** Bytes from 248 on are discarded, so that each of the 62 characters is equally likely. */
function randomBase62(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length))) {
      if (byte < 248 && text.length < length) text += alphabet.charAt(byte % 62)
    }
  }
  return text
}

export function newApiKey(): string {
  const body = `gt_${randomBase62(randomLength)}`
  return body + checksum(body)
}

export function isWellFormedKey(key: string): boolean {
  if (!/^gt_[0-9A-Za-z]{38}$/.test(key)) return false
  return checksum(key.slice(0, -checksumLength)) === key.slice(-checksumLength)
}

/** Hex SHA-256. A key has 190 random bits, so no slow hash is needed. */
export const hashApiKey = (key: string): string => sha256(key).toHex()
