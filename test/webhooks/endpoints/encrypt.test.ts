import { expect, it } from 'vitest'
import { decrypt, encrypt, type EncryptionKeys } from '../../../src/webhooks/endpoints/encrypt.ts'

const keyOf = (character: string) => btoa(character.repeat(32))
const keys: EncryptionKeys = { current: keyOf('k'), old: [] }
const rotated: EncryptionKeys = { current: keyOf('n'), old: [keyOf('o'), keyOf('k')] }
const secret = 'schlüssel 🔑'

it('an encrypted text decrypts to itself', async () => {
  expect(await decrypt(await encrypt(secret, keys, 'tenant'), keys, 'tenant')).toBe(secret)
})

it('encrypting twice yields different envelopes without the text', async () => {
  const [one, two] = [await encrypt('plain text', keys, 'tenant'), await encrypt('plain text', keys, 'tenant')]
  expect(one).not.toBe(two)
  expect(one).toMatch(/^v1\.[0-9a-f]{8}\.[A-Za-z0-9+/=]{16}\.[A-Za-z0-9+/=]+$/)
  expect(atob(one.split('.')[3] ?? '')).not.toContain('plain')
})

it('an old key decrypts what was encrypted while it was current', async () => {
  const envelope = await encrypt(secret, keys, 'tenant')
  expect(await decrypt(envelope, rotated, 'tenant')).toBe(secret)
  expect((await encrypt(secret, rotated, 'tenant')).split('.')[1]).not.toBe(envelope.split('.')[1])
})

it('an envelope does not decrypt for another tenant, without the key, or after a change', async () => {
  const envelope = await encrypt(secret, keys, 'tenant')
  const refused = 'does not decrypt'
  await expect(decrypt(envelope, keys, 'other tenant')).rejects.toThrow(refused)
  await expect(decrypt(envelope, { current: keyOf('n'), old: [keyOf('o')] }, 'tenant')).rejects.toThrow(refused)
  const [form, keyId, iv, data = ''] = envelope.split('.')
  const changed = (data.startsWith('A') ? 'B' : 'A') + data.slice(1)
  await expect(decrypt([form, keyId, iv, changed].join('.'), keys, 'tenant')).rejects.toThrow(refused)
})

it.each(['', 'plain text', 'v0.aaaa.AAAA.AAAA', 'v1.AAAA', 'v1.AAAA.AAAA', 'v1.AAAA.AAAA.AAAA'])(
  'the malformed envelope %j is refused',
  async (text) => {
    await expect(decrypt(text, keys, 'tenant')).rejects.toThrow('Not an envelope')
  },
)
