/**
 * `gt_`, 32 base62 characters of randomness (190 bits), 6 of checksum. The checksum lets a mistyped key be refused
 * without any look-up and lets secret scanners tell a leaked key from look-alikes.
 */
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const randomLength = 32
const checksumLength = 6
export const prefixLength = 9

const encoder = new TextEncoder()
const sha256 = async (text: string) => new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(text)))

/** The first 48 bits of the SHA-256 of `body`, modulo 62^6, in base62. */
async function checksum(body: string): Promise<string> {
  const digest = await sha256(body)
  let value = digest.subarray(0, 6).reduce((sum, byte) => sum * 256 + byte, 0)
  let text = ''
  for (let i = 0; i < checksumLength; i++) {
    text = alphabet.charAt(value % alphabet.length) + text
    value = Math.floor(value / alphabet.length)
  }
  return text
}

/** Bytes of 248 and above are thrown away, so that each of the 62 characters is equally likely. */
function randomBase62(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length))) {
      if (byte < 248 && text.length < length) text += alphabet.charAt(byte % 62)
    }
  }
  return text
}

export async function newApiKey(): Promise<string> {
  const body = `gt_${randomBase62(randomLength)}`
  return body + (await checksum(body))
}

export async function isWellFormedKey(key: string): Promise<boolean> {
  if (!/^gt_[0-9A-Za-z]{38}$/.test(key)) return false
  return (await checksum(key.slice(0, -checksumLength))) === key.slice(-checksumLength)
}

/** Hex SHA-256. A key has 190 random bits, so no slow hash is needed. */
export async function hashApiKey(key: string): Promise<string> {
  return (await sha256(key)).toHex()
}
