import type { Page } from 'playwright-core'
import { encode } from 'uqr'
import { expect, it } from 'vitest'
import { encodeJpeg } from '../../../src/vision/image/encode-jpeg.ts'
import { makeFlatLay } from '../../../training/flat-lay/make-flat-lay.ts'
import { problemsOf } from '../support/accessibility.ts'
import { newMerchant, useBrowser } from '../support/visitor.ts'

const open = useBrowser()

const file = (name: string, bytes: Uint8Array) => ({ name, mimeType: 'image/jpeg', buffer: Buffer.from(bytes) })

const garment = (name: string, seed: number) =>
  file(name, encodeJpeg({ ...makeFlatLay(seed, { width: 300, height: 400 }).picture, height: 400 - seed }))

/** A photograph of a QR code in the middle of a grey table. */
function codePicture(name: string, text: string) {
  const [width, height, square] = [480, 640, 6]
  const data = new Uint8ClampedArray(width * height * 4).fill(200)
  const { size, data: rows } = encode(text, { ecc: 'M', border: 3 })
  const [left, top] = [Math.floor((width - size * square) / 2), Math.floor((height - size * square) / 2)]
  for (let y = 0; y < size * square; y++)
    for (let x = 0; x < size * square; x++) {
      const value = rows[Math.floor(y / square)]?.[Math.floor(x / square)] === true ? 20 : 245
      data.fill(value, ((top + y) * width + left + x) * 4, ((top + y) * width + left + x) * 4 + 3)
    }
  return file(name, encodeJpeg({ width, height, data }))
}

const choose = async (page: Page, files: ReturnType<typeof file>[]) =>
  await page.getByLabel('Photographs', { exact: true }).setInputFiles(files)

const titles = async (page: Page) => await page.locator('.groups > li > h3').allInnerTexts()

it('photographed labels start garments, name them, and add pictures to the garments that they belong to', async () => {
  const { credentials, client } = await newMerchant('Codes')
  const page = await open({ as: credentials })
  await page.goto('/dashboard/imports')
  await page.getByText('Blank labels', { exact: true }).click()
  await page.getByRole('button', { name: 'Print 40 blank labels' }).click()
  await page.getByRole('heading', { name: 'Blank labels' }).waitFor()
  expect(await page.getByRole('list', { name: 'Labels' }).locator('li').count()).toBe(40)
  expect(await problemsOf(page)).toEqual([])
  await client.uploadFiles({ uuid: 'old', images: [{ image: new Blob([garment('x', 1).buffer]), name: 'x.jpg' }] })
  const { number } = await client.wait('old')
  const label = (of: number) => `${page.url().split('/dashboard')[0]}/dashboard/garments?search=G-${of}`

  await page.goto('/dashboard/imports')
  await choose(page, [
    codePicture('IMG_0001.jpg', label(7)),
    garment('IMG_0002.jpg', 2),
    garment('IMG_0003.jpg', 3),
    codePicture('IMG_0004.jpg', label(number)),
    garment('IMG_0005.jpg', 4),
    codePicture('IMG_0006.jpg', 'SHELF-9'),
    garment('IMG_0007.jpg', 5),
  ])
  await page.getByRole('button', { name: 'Upload 3 garments' }).waitFor()
  const [reserved = '', old = '', other = ''] = await titles(page)
  expect(reserved).toMatch(/G-7/)
  expect(old).toMatch(new RegExp(`Add to G-${number}, .*\\?`))
  expect(other).toMatch(/SKU SHELF-9/)
  expect(await problemsOf(page)).toEqual([])

  // The photographs outlast the page.
  await page.reload()
  await page.getByText('3 garments of your last visit are not uploaded yet.').waitFor()
  await page.getByRole('button', { name: 'Upload 3 garments' }).click()
  await page.getByText('Say first whether').waitFor()
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('button', { name: 'Upload 3 garments' }).click()
  await page.getByText('3 of 3 sent, 2 of 2 described', { exact: true }).waitFor({ state: 'attached' })
  await page.getByText(`Added to G-${number}`).waitFor()

  await expect.poll(async () => (await client.query('old')).images.length).toBe(2)
  const { garments } = await client.garmentsPage()
  const all = await Promise.all(garments.map(async ({ uuid }) => await client.query(uuid)))
  expect(all.find((each) => each.number === 7)?.images).toHaveLength(2)
  expect(all.find((each) => each.attribute['SKU'] === 'SHELF-9')?.images).toHaveLength(1)
  expect(garments).toHaveLength(3)
  await page.reload()
  await expect.poll(() => page.getByText('not uploaded yet').count()).toBe(0)
})

it('a label that the camera photographs inside the page starts a garment, too, and gives it its number', async () => {
  const { credentials, client } = await newMerchant('Camera codes')
  const page = await open({ as: credentials, hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } })
  await page.goto('/dashboard/imports')
  const { numbers } = await client.reserveNumbers(2)
  await page.getByText('Take a photograph').waitFor()
  const take = async (label: string, picture: ReturnType<typeof file>) =>
    await page.getByLabel(label).setInputFiles(picture)
  await take('Take a photograph', garment('image.jpg', 1))
  await page.getByText('Next photograph of this garment').waitFor()
  await take('Next photograph of this garment', codePicture('image.jpg', `G-${numbers[1]}`))
  await page.locator('.groups > li').nth(1).waitFor()
  await take('Next photograph of this garment', garment('image.jpg', 2))
  await expect.poll(() => titles(page)).toEqual(['Garment 1', expect.stringContaining(`G-${numbers[1]}`)])
  await page.getByRole('button', { name: 'Upload 2 garments' }).click()
  await page.getByText('2 of 2 described', { exact: true }).waitFor({ state: 'attached' })
  const { garments } = await client.garmentsPage()
  expect(garments.map(({ number }) => number).toSorted()).toEqual([numbers[1], 3])
})
