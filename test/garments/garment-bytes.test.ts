import { createHash } from 'node:crypto'
import { expect, it, onTestFinished, vi } from 'vitest'
import { measureGarmentBytes } from '../support/stored-garment/measure-garment-bytes.ts'

it('a realistic garment takes at most 4.5 kB with its listing, its delivery and all attempts', async () => {
  // The same ids each time, since chance decides where pages split.
  let made = 0
  const randomUuid = vi.spyOn(crypto, 'randomUUID').mockImplementation(() => {
    const hex = createHash('sha256').update(String(made++)).digest('hex')
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`
  })
  onTestFinished(() => randomUuid.mockRestore())
  const { bytes } = await measureGarmentBytes(300)
  expect(bytes).toBeGreaterThan(3000)
  expect(bytes).toBeLessThanOrEqual(4500)
})
