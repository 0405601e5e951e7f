import { expect, it } from 'vitest'
import { encodeJpeg } from '../../../src/vision/image/jpeg/encode-jpeg.ts'
import { readJpegHeader } from '../../../src/vision/image/jpeg/read-jpeg-header.ts'
import { makeFlatLay } from '../../../training/flat-lay/make-flat-lay.ts'
import { withOrientation } from '../../fixtures/pictures/with-orientation.ts'
import { newMerchant, useBrowser } from '../support/visitor.ts'

const open = useBrowser()

/** A photograph of 17 megapixels, each pixel of a drawing six by six times. */
function largePicture() {
  const { picture } = makeFlatLay(7, { width: 600, height: 800 })
  const [width, height, factor] = [3600, 4800, 6]
  const from = new Uint32Array(picture.data.slice().buffer)
  const to = new Uint32Array(width * height)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      to[y * width + x] = from[Math.floor(y / factor) * picture.width + Math.floor(x / factor)] ?? 0
  return { ...picture, width, height, data: new Uint8ClampedArray(to.buffer) }
}

it('a photograph that is larger than the service takes is scaled down upright, and tagged', async () => {
  const { credentials } = await newMerchant('Large')
  const page = await open({ as: credentials })
  await page.goto('/dashboard/imports')
  const buffer = Buffer.from(withOrientation(encodeJpeg(largePicture()), 6))
  await page.getByLabel('Images', { exact: true }).setInputFiles({ name: 'large.jpg', mimeType: 'image/jpeg', buffer })
  const [request] = await Promise.all([
    page.waitForRequest('**/dashboard/imports/file', { timeout: 20_000 }),
    page.getByRole('button', { name: 'Upload', exact: true }).click(),
  ])
  const body = request.postDataBuffer() ?? Buffer.alloc(0)
  const start = body.indexOf(Buffer.from([0xff, 0xd8, 0xff]))
  // The EXIF orientation 6 turns it by a right angle.
  expect(readJpegHeader(new Uint8Array(body.subarray(start)))).toMatchObject({ width: 3266, height: 2449 })
  await page.getByText('1 of 1').first().waitFor()
  const row = page.getByRole('list', { name: 'Uploads' }).getByRole('listitem')
  await row.getByText('Complete', { exact: true }).waitFor({ timeout: 20_000 })
}, 90_000)
