import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { encodeJpeg } from '../../../src/vision/image/encode-jpeg.ts'
import { makeFlatLay } from '../../../training/flat-lay/make-flat-lay.ts'
import { withTime } from '../../fixtures/pictures/with-time.ts'
import { problemsOf } from '../support/accessibility.ts'
import { newMerchant, useBrowser } from '../support/visitor.ts'

const open = useBrowser()

/** Draws another garment for each seed. The height tells which one it is. */
const jpegOf = (seed: number) =>
  encodeJpeg({ ...makeFlatLay(seed + 1, { width: 150, height: 200 }).picture, height: 200 - seed })
const imageOf = (name: string, seed: number, bytes: Uint8Array = jpegOf(seed)) => ({
  name,
  mimeType: 'image/jpeg',
  buffer: Buffer.from(bytes),
})

const groupsOf = async (page: Page) =>
  await page
    .getByRole('list', { name: 'Garments' })
    .locator('> li')
    .evaluateAll((rows) =>
      rows.map((row) => [...row.querySelectorAll('span')].map((name) => name.textContent).join(' ')),
    )

const choose = async (page: Page, images: readonly ReturnType<typeof imageOf>[]) =>
  await page.getByLabel('Photographs', { exact: true }).setInputFiles([...images])

it('pictures are grouped into garments before they are sent, and put right with the keys, buttons and by dragging', async () => {
  const { credentials, client } = await newMerchant('Groups')
  const page = await open({ as: credentials })
  await page.goto('/dashboard/imports')
  const names = ['12-2.jpg', '12-1.jpg', '12 (3).jpg', 'IMG_0001.jpg', 'IMG_0002.jpg', 'IMG_0003.jpg']
  await choose(
    page,
    names.map((name, i) => imageOf(name, i)),
  )
  await page.getByRole('button', { name: 'Upload 4 garments' }).waitFor()
  await expect
    .poll(() => groupsOf(page))
    .toEqual(['12-1.jpg 12-2.jpg 12 (3).jpg', 'IMG_0001.jpg', 'IMG_0002.jpg', 'IMG_0003.jpg'])
  expect(await problemsOf(page)).toEqual([])

  const picture = (name: string) => page.getByRole('button', { name, exact: true })
  await picture('12-1.jpg').focus()
  await page.keyboard.press('ArrowRight')
  await picture('12 (3).jpg').focus()
  await page.keyboard.press('s')
  await picture('IMG_0001.jpg').press('Delete')
  await expect.poll(() => groupsOf(page)).toEqual(['12-2.jpg 12-1.jpg', '12 (3).jpg', 'IMG_0002.jpg', 'IMG_0003.jpg'])
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => groupsOf(page)).toEqual(['12-2.jpg 12-1.jpg', '12 (3).jpg IMG_0002.jpg', 'IMG_0003.jpg'])
  await page.getByText('IMG_0002.jpg: garment 2, picture 2 of 2').waitFor({ state: 'attached' })

  await picture('IMG_0003.jpg').click()
  await page.getByRole('button', { name: 'Earlier' }).click()
  await expect.poll(() => groupsOf(page)).toEqual(['12-2.jpg 12-1.jpg', '12 (3).jpg IMG_0002.jpg IMG_0003.jpg'])
  await picture('IMG_0002.jpg').dragTo(picture('12-1.jpg'))
  await expect.poll(() => groupsOf(page)).toEqual(['12-2.jpg IMG_0002.jpg 12-1.jpg', '12 (3).jpg IMG_0003.jpg'])
  await page.getByText('Attributes of all garments').click()
  await page.getByLabel('Use each file name').check()
  await page.getByRole('button', { name: 'Upload 2 garments' }).click()
  await page.getByText('2 of 2 described', { exact: true }).waitFor({ state: 'attached' })
  expect(await problemsOf(page)).toEqual([])

  const heights = async (uuid: string) => (await client.query(uuid)).images.map(({ height }) => height)
  await expect.poll(() => heights('12-2')).toEqual([200, 196, 199])
  await expect.poll(() => heights('12 (3)')).toEqual([198, 195])
})

it('pictures of a burst are one garment, and each can be made one of its own', async () => {
  const { credentials } = await newMerchant('Bursts')
  const page = await open({ as: credentials })
  await page.goto('/dashboard/imports')
  const seconds = ['00', '05', '50', '54']
  await choose(
    page,
    seconds.map((second, i) => imageOf(`IMG_000${i}.jpg`, i, withTime(jpegOf(i), `2026:11:28 10:15:${second}`))),
  )
  await page.getByRole('button', { name: 'Upload 2 garments' }).waitFor()
  await expect.poll(() => groupsOf(page)).toEqual(['IMG_0000.jpg IMG_0001.jpg', 'IMG_0002.jpg IMG_0003.jpg'])
  await page.getByRole('button', { name: 'All separate' }).click()
  await page.getByRole('button', { name: 'Upload 4 garments' }).waitFor()
})

it('a doubtful border is a question, which one click answers', async () => {
  const { credentials } = await newMerchant('Questions')
  const page = await open({ as: credentials })
  await page.goto('/dashboard/imports')
  // The pause is a little long for one garment, but the pictures are the same.
  await choose(page, [
    imageOf('IMG_0001.jpg', 1, withTime(jpegOf(1), '2026:11:28 10:15:00')),
    imageOf('IMG_0002.jpg', 1, withTime(jpegOf(1), '2026:11:28 10:15:40')),
  ])
  await page.getByRole('button', { name: 'New garment?' }).waitFor()
  expect(await problemsOf(page)).toEqual([])
  await page.getByRole('button', { name: 'New garment?' }).click()
  await page.getByRole('button', { name: 'Upload 2 garments' }).waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'New garment?' }).count()).toBe(0)
})

it('a camera takes one garment after the other', async () => {
  const { credentials, client } = await newMerchant('Camera')
  const page = await open({ as: credentials, hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } })
  await page.goto('/dashboard/imports')
  const take = async (label: string, seed: number) =>
    await page.getByLabel(label).setInputFiles(imageOf('image.jpg', seed))
  await page.getByText('Take a photograph').waitFor()
  await take('Take a photograph', 1)
  await page.getByText('Next photograph of this garment').waitFor()
  await take('Next photograph of this garment', 2)
  await take('Next garment', 3)
  await take('Next photograph of this garment', 4)
  await take('Next photograph of this garment', 5)
  await page.getByRole('button', { name: 'Upload 2 garments' }).click()
  await page.getByText('2 of 2 described', { exact: true }).waitFor({ state: 'attached' })
  const { garments } = await client.garmentsPage()
  const heights = await Promise.all(
    garments.map(async ({ uuid }) => (await client.query(uuid)).images.map(({ height }) => height)),
  )
  expect(heights.toSorted((a, b) => a.length - b.length)).toEqual([
    [199, 198],
    [197, 196, 195],
  ])
  expect(await problemsOf(page)).toEqual([])
})

it('garments of three pictures each arrive once each, though connections are lost before and after they are stored', async () => {
  const count = Number(process.env['GARMENTS'] ?? 4)
  const { credentials, client } = await newMerchant('Lost')
  const page = await open({ as: credentials })
  const answers: number[] = []
  let requests = 0
  await page.route('**/dashboard/imports/file*', async (route) => {
    requests++
    if (requests === 3) return await route.abort('connectionreset')
    if (requests !== 5) return await route.continue()
    // The service stores the garment, but the page does not receive the answer. Whatever happens, the request is
    // answered, because the page would otherwise wait for it.
    try {
      answers.push((await route.fetch({ maxRetries: 5 })).status())
    } finally {
      await route.abort('connectionreset')
    }
  })
  await page.goto('/dashboard/imports')
  const images = Array.from({ length: count }, (_, garment) =>
    [1, 2, 3].map((n) => imageOf(`${garment + 1}-${n}.jpg`, (garment % 40) * 3 + n)),
  ).flat()
  await choose(page, images)
  await page.getByRole('button', { name: `Upload ${count} garments` }).click()
  await page.getByText(`${count} garments uploaded`).waitFor({ state: 'attached' })
  await page.getByText(`${count} of ${count} described`, { exact: true }).waitFor({ state: 'attached' })
  open.forgetReports()
  expect([requests, answers]).toEqual([count + 2, [200]])
  const find = async () => {
    const found: string[] = []
    for await (const { images: pictures, status } of client.exportGarments())
      found.push(`${status} ${pictures.map(({ original_img, height }) => `${height} ${original_img !== ''}`).join()}`)
    return found.toSorted()
  }
  const expected = Array.from(
    { length: count },
    (_, garment) => `complete ${[1, 2, 3].map((n) => `${200 - ((garment % 40) * 3 + n)} true`).join()}`,
  )
  // The import's line of the repeated garment ends as unchanged, possibly before the garment is tagged.
  await expect.poll(find).toEqual(expected.toSorted())
})
