import { expect, it } from 'vitest'
import { decrypt, encrypt } from '../../../src/webhook/config/encrypt.ts'

const key = btoa('k'.repeat(32))
const otherKey = btoa('o'.repeat(32))
const secret = 'schlüssel 🔑'

it('gives back what was encrypted', async () => {
  expect(await decrypt(await encrypt(secret, key, 'tenant'), key, 'tenant')).toBe(secret)
})

it('never looks the same twice, and never shows the text', async () => {
  const [one, two] = [await encrypt('plain text', key, 'tenant'), await encrypt('plain text', key, 'tenant')]
  expect(one).not.toBe(two)
  expect(one).toMatch(/^v1\.[A-Za-z0-9+/=]{16}\.[A-Za-z0-9+/=]+$/)
  expect(atob(one.split('.')[2] ?? '')).not.toContain('plain')
})

it('does not decrypt for another tenant, under another key, or after a change', async () => {
  const sealed = await encrypt(secret, key, 'tenant')
  await expect(decrypt(sealed, key, 'other tenant')).rejects.toThrow(/decrypt/i)
  await expect(decrypt(sealed, otherKey, 'tenant')).rejects.toThrow(/decrypt/i)
  const [form, iv, data = ''] = sealed.split('.')
  const changed = (data.startsWith('A') ? 'B' : 'A') + data.slice(1)
  await expect(decrypt([form, iv, changed].join('.'), key, 'tenant')).rejects.toThrow(/decrypt/i)
})

it.each(['', 'plain text', 'v0.AAAA.AAAA', 'v1.AAAA', 'v1.AAAA.AAAA.AAAA'])('refuses %j', async (text) => {
  await expect(decrypt(text, key, 'tenant')).rejects.toThrow('Not a text that was encrypted here')
})
