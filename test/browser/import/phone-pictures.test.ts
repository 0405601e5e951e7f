import { expect, it } from 'vitest'
import { phoneAvif, phoneHeic } from '../../fixtures/pictures/phone-pictures.ts'
import { newMerchant, useBrowser } from '../support/visitor.ts'

const open = useBrowser()

/** Records the image in the page, because Chromium does not expose request bodies with files. */
const recordSentImage = `
  const append = FormData.prototype.append
  FormData.prototype.append = function (key, value, ...rest) {
    if (value instanceof Blob) window.sentImage = value
    return append.call(this, key, value, ...rest)
  }`

/** Returns the image's size, its type and two pixels in sRGB. */
const readSentImage = `(async () => {
  const { type, name } = window.sentImage
  const bitmap = await createImageBitmap(window.sentImage)
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
  const context = canvas.getContext('2d')
  context.drawImage(bitmap, 0, 0)
  const pixel = (y) => [...context.getImageData(20, y, 1, 1).data.slice(0, 3)]
  return { type, name, size: [bitmap.width, bitmap.height], top: pixel(20), bottom: pixel(80) }
})()`

interface SentImage {
  readonly type: string
  readonly name: string
  readonly size: readonly number[]
  readonly top: readonly number[]
  readonly bottom: readonly number[]
}

it.each([
  ['HEIC', 'IMG_1.HEIC', phoneHeic],
  ['AVIF', 'IMG_1.avif', phoneAvif],
])('a %s is sent as a JPEG, upright and in its colours', async (_, name, buffer) => {
  const { credentials } = await newMerchant('Phone')
  const page = await open({ as: credentials })
  const loaded: string[] = []
  page.on('request', (request) => loaded.push(request.url()))
  await page.addInitScript(recordSentImage)
  await page.goto('/dashboard/imports')
  await page.getByLabel('Photographs', { exact: true }).setInputFiles({ name, mimeType: '', buffer })
  await page.getByRole('button', { name: 'Upload', exact: true }).click()
  await page.getByText('1 garment uploaded').waitFor({ state: 'attached' })
  const sent = (await page.evaluate(readSentImage)) as SentImage
  expect(sent).toMatchObject({ type: 'image/jpeg', name: 'IMG_1.jpg', size: [64, 96] })
  // 230, 30, 40 in Display P3 is outside sRGB, so red is clipped to 255.
  const [red = 0, green = 255, blue = 255] = sent.top
  expect(red).toBeGreaterThan(244)
  expect(Math.max(green, blue)).toBeLessThan(50)
  for (const value of sent.bottom) expect(Math.abs(value - 128)).toBeLessThan(6)
  // The decoder is loaded only for HEIC.
  expect(loaded.some((url) => url.includes('heic'))).toBe(name.endsWith('HEIC'))
})

it('a HEIC that breaks off is named as what cannot be opened', async () => {
  const { credentials } = await newMerchant('Broken')
  const page = await open({ as: credentials })
  await page.goto('/dashboard/imports')
  const file = { name: 'IMG_1.HEIC', mimeType: 'image/heic', buffer: phoneHeic.subarray(0, 500) }
  await page.getByLabel('Photographs', { exact: true }).setInputFiles(file)
  await page.getByRole('button', { name: 'Upload', exact: true }).click()
  const problem = page.getByText('This browser cannot open the file. Save it as JPEG and choose it again.')
  await problem.waitFor()
  await expect.poll(() => page.getByText('0 garments uploaded, 1 not').count()).toBe(1)
})
