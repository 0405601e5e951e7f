import { expect, it } from 'vitest'
import { encodeJpeg } from '../../../src/vision/image/encode-jpeg.ts'
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

/** 17 megapixels. EXIF orientation 6 rotates it by 90 degrees. */
const photograph = Buffer.from(withOrientation(encodeJpeg(enlargedDrawing(6)), 6))
const tooManyBytes = Buffer.concat([photograph, Buffer.alloc(20 * 1024 * 1024)])

it.each([
  ['that the service takes is sent as it is', photograph, { width: 4800, height: 3600 }],
  ['that is larger than the service takes is scaled down upright', tooManyBytes, { width: 3266, height: 2449 }],
])('a photograph %s, and tagged', async (_, buffer, size) => {
  const { credentials } = await newMerchant('Large')
  const page = await open({ as: credentials })
  // Records the image in the page, because Chromium does not expose request bodies with files.
  await page.addInitScript(recordSentImage)
  await page.goto('/dashboard/imports')
  await page
    .getByLabel('Photographs', { exact: true })
    .setInputFiles({ name: 'large.jpg', mimeType: 'image/jpeg', buffer })
  await page.getByRole('button', { name: 'Upload', exact: true }).click()
  await page.getByText('1 of 1').first().waitFor()
  const row = page.getByRole('list', { name: 'Uploads' }).getByRole('listitem')
  await row.getByText('Complete', { exact: true }).waitFor()
  expect(await page.evaluate(sizeOfSentImage)).toEqual(size)
})

it('a photograph that would have to be scaled down is refused with a Studio', async () => {
  const { credentials } = await newMerchant('Studio')
  const page = await open({ as: credentials })
  await page.goto('/dashboard/imports')
  await page.getByText('Attributes of all garments').click()
  await page.getByLabel('Studio').fill('Paris')
  const file = { name: 'large.jpg', mimeType: 'image/jpeg', buffer: tooManyBytes }
  await page.getByLabel('Photographs', { exact: true }).setInputFiles(file)
  await page.getByRole('button', { name: 'Upload', exact: true }).click()
  await page.getByText('0 garments uploaded, 1 not').waitFor({ state: 'attached' })
  await expect.poll(() => page.getByText('the scale of its Studio would then be wrong').count()).toBe(1)
})
