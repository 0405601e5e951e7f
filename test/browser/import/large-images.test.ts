import { expect, it } from 'vitest'
import { encodeJpeg } from '../../../src/vision/image/jpeg/encode-jpeg.ts'
import { withOrientation } from '../../fixtures/pictures/with-orientation.ts'
import { enlargedDrawing } from '../support/enlarged-drawing.ts'
import { newMerchant, useBrowser } from '../support/visitor.ts'

const open = useBrowser()

const recordSentImage = `
  for (const name of ['append', 'set']) {
    const original = FormData.prototype[name]
    FormData.prototype[name] = function (key, value, ...rest) {
      if (value instanceof Blob) window.sentImage = value
      return original.call(this, key, value, ...rest)
    }
  }`
const sizeOfSentImage = 'createImageBitmap(window.sentImage).then(({ width, height }) => ({ width, height }))'

it('a photograph that is larger than the service takes is scaled down upright, and tagged', async () => {
  const { credentials } = await newMerchant('Large')
  const page = await open({ as: credentials })
  // Chromium does not show the body of a request with files.
  await page.addInitScript(recordSentImage)
  await page.goto('/dashboard/imports')
  // 17 megapixels.
  const buffer = Buffer.from(withOrientation(encodeJpeg(enlargedDrawing(6)), 6))
  await page.getByLabel('Images', { exact: true }).setInputFiles({ name: 'large.jpg', mimeType: 'image/jpeg', buffer })
  await page.getByRole('button', { name: 'Upload', exact: true }).click()
  await page.getByText('1 of 1').first().waitFor()
  const row = page.getByRole('list', { name: 'Uploads' }).getByRole('listitem')
  await row.getByText('Complete', { exact: true }).waitFor()
  // The EXIF orientation 6 turns it by a right angle.
  expect(await page.evaluate(sizeOfSentImage)).toEqual({ width: 3266, height: 2449 })
}, 180_000)
