import type { Settings } from '../../settings.ts'

/**
 * Encryption of stored secrets. An envelope reads `v1.<key id>.<iv>.<ciphertext and tag>`, the last two in base64. The
 * key id names the key it was written under, so that keys can be rotated.
 */

/** AES-256 keys in base64. New envelopes are written under `current`; the old keys only decrypt. */
export interface EncryptionKeys {
  readonly current: string
  readonly old: readonly string[]
}

export function encryptionKeysOf(settings: Settings): EncryptionKeys {
  return { current: settings.ENCRYPTION_KEY, old: settings.ENCRYPTION_KEYS_OLD }
}

/** The length that NIST SP 800-38D, 8.2 recommends for AES-GCM. */
const ivBytes = 12

/** Enough bytes to distinguish the keys of one service, and too few to learn anything about a key. */
const keyIdBytes = 4

export async function keyIdOf(base64Key: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', Uint8Array.fromBase64(base64Key))
  return new Uint8Array(digest, 0, keyIdBytes).toHex()
}

const importKey = async (base64Key: string) =>
  await crypto.subtle.importKey('raw', Uint8Array.fromBase64(base64Key), 'AES-GCM', false, ['encrypt', 'decrypt'])

/** The tenant is authenticated with the text, so that a row copied to another tenant does not decrypt there. */
const algorithm = (iv: Uint8Array, tenantId: string) => ({
  name: 'AES-GCM',
  iv,
  additionalData: new TextEncoder().encode(tenantId),
})

/** Uses a fresh random IV each time, so that equal texts give different envelopes. */
export async function encrypt(text: string, { current }: EncryptionKeys, tenantId: string): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(ivBytes))
  const key = await importKey(current)
  const data = await crypto.subtle.encrypt(algorithm(iv, tenantId), key, new TextEncoder().encode(text))
  return `v1.${await keyIdOf(current)}.${iv.toBase64()}.${new Uint8Array(data).toBase64()}`
}

/** Throws if the envelope was changed, or was not encrypted for this tenant under one of the keys. */
export async function decrypt(envelope: string, keys: EncryptionKeys, tenantId: string): Promise<string> {
  const { keyId, iv, data } = parseEnvelope(envelope)
  for (const key of [keys.current, ...keys.old]) {
    if (keyId !== (await keyIdOf(key))) continue
    try {
      const text = await crypto.subtle.decrypt(algorithm(iv, tenantId), await importKey(key), data)
      return new TextDecoder().decode(text)
    } catch {
      // The envelope was changed or belongs to another tenant.
    }
  }
  throw new Error('The envelope does not decrypt under any of the keys for this tenant')
}

function parseEnvelope(envelope: string) {
  const [, keyId, iv, data] = /^v1\.([0-9a-f]+)\.([\w+/=]+)\.([\w+/=]+)$/.exec(envelope) ?? []
  if (iv === undefined || data === undefined) throw new Error('Not an envelope')
  return { keyId, iv: Uint8Array.fromBase64(iv), data: Uint8Array.fromBase64(data) }
}
