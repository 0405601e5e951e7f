import { fromBase64, toBase64 } from './base64.ts'

/** Marks the form `v1.<iv>.<ciphertext and tag>` (base64), so that another cipher or key can be told apart later. */
const version = 'v1'

/** The length that NIST SP 800-38D, 8.2 recommends for AES-GCM. */
const ivBytes = 12

const importKey = async (base64Key: string) =>
  crypto.subtle.importKey('raw', fromBase64(base64Key), 'AES-GCM', false, ['encrypt', 'decrypt'])

/** The tenant is authenticated with the text, so that a row copied to another tenant does not decrypt there. */
const algorithm = (iv: Uint8Array, tenantId: string) => ({
  name: 'AES-GCM',
  iv,
  additionalData: new TextEncoder().encode(tenantId),
})

/** `base64Key` is 32 bytes. A fresh random IV each time: equal texts do not look equal. */
export async function encrypt(text: string, base64Key: string, tenantId: string): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(ivBytes))
  const key = await importKey(base64Key)
  const sealed = await crypto.subtle.encrypt(algorithm(iv, tenantId), key, new TextEncoder().encode(text))
  return `${version}.${toBase64(iv)}.${toBase64(new Uint8Array(sealed))}`
}

/** Throws if the text was not encrypted under this key for this tenant, or was changed. */
export async function decrypt(sealed: string, base64Key: string, tenantId: string): Promise<string> {
  const [form, iv, data, ...rest] = sealed.split('.')
  if (form !== version || iv === undefined || data === undefined || rest.length > 0)
    throw new Error('Not a text that was encrypted here')
  const key = await importKey(base64Key)
  const opened = await crypto.subtle.decrypt(algorithm(fromBase64(iv), tenantId), key, fromBase64(data))
  return new TextDecoder().decode(opened)
}
