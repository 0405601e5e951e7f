import type { Download, Locator } from 'playwright-core'
import { expect, it } from 'vitest'
import { encodeJpeg } from '../../src/vision/image/encode-jpeg.ts'
import { makeFlatLay } from '../../training/flat-lay/make-flat-lay.ts'
import { newGarments } from './support/host.ts'
import { readDownload } from './support/read-download.ts'
import { withTime } from '../fixtures/pictures/with-time.ts'
import { newMerchant, useBrowser } from './support/visitor.ts'

const open = useBrowser()

it('photographs become the files of five shops with five clicks, once the defaults are chosen', async () => {
  const { credentials } = await newMerchant('Clicks')
  const page = await open({ as: credentials })
  await page.goto('/dashboard/export')
  const defaults = page.getByRole('region', { name: 'Defaults for shops' })
  await defaults.getByText('Show and change the defaults').click()
  await defaults.getByLabel(/^Price/).fill('12.50')
  await defaults.getByLabel(/^Size/).fill('M')
  await defaults.getByLabel(/^For/).selectOption('women')
  await defaults.getByLabel(/^Condition/).selectOption('good')
  await defaults.getByLabel('Link to the garment').fill('https://shop.example/{uuid}')
  await defaults.getByRole('button', { name: 'Save defaults' }).click()
  await page.getByText('The defaults were saved.').waitFor()
  await page.goto('/dashboard/garments')

  let clicks = 0
  const click = async (target: Locator) => {
    clicks++
    await target.click()
  }
  await click(page.locator('.actions').getByRole('link', { name: 'Add garments' }))
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    click(page.getByLabel('Photographs', { exact: true })),
  ])
  const drawings = [1, 2, 3].map((seed) => ({
    name: `IMG_${seed}.jpg`,
    mimeType: 'image/jpeg',
    buffer: Buffer.from(
      withTime(encodeJpeg(makeFlatLay(seed, { width: 300, height: 400 }).picture), `2026:11:28 1${seed}:00:00`),
    ),
  }))
  await chooser.setFiles(drawings)
  await click(page.getByRole('button', { name: 'Upload 3 garments' }))
  await page.getByText('3 of 3 described', { exact: true }).waitFor({ state: 'attached' })
  await click(page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name: 'Export' }))
  const files: Download[] = []
  page.on('download', (file) => files.push(file))
  await click(page.getByRole('button', { name: 'Download the selected files' }))
  await expect
    .poll(() => files.map((file) => file.suggestedFilename().split('-')[1]))
    .toEqual(['google', 'ebay', 'shopify', 'woocommerce', 'vinted'])
  for (const file of files) expect(await readDownload(file)).toContain('12.50')
  expect(clicks).toBe(5)
})

it('forty photographs of sixteen garments reach the files of three shops with eight clicks and fields, defaults included', async () => {
  const { credentials } = await newMerchant('Forty')
  const page = await open({ as: credentials })
  await page.goto('/dashboard/garments')
  let actions = 0
  const click = async (target: Locator) => {
    actions++
    await target.click()
  }
  await click(page.locator('.actions').getByRole('link', { name: 'Add garments' }))
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    click(page.getByLabel('Photographs', { exact: true })),
  ])
  // Two or three views of each garment within seconds, then a minute for the next one.
  const views = Array.from({ length: 16 }, (_, garment) =>
    Array.from({ length: garment % 2 === 0 ? 3 : 2 }, (_, view) => ({ garment, view })),
  ).flat()
  const photographs = views.map(({ garment, view }, i) => {
    const { picture } = makeFlatLay(garment + 1, { width: 150, height: 200 })
    const time = `2026:11:28 10:${String(garment + 10)}:${String(view * 5).padStart(2, '0')}`
    return {
      name: `IMG_${1000 + i}.jpg`,
      mimeType: 'image/jpeg',
      buffer: Buffer.from(withTime(encodeJpeg({ ...picture, height: 200 - view }), time)),
    }
  })
  expect(photographs).toHaveLength(40)
  await chooser.setFiles(photographs)
  await click(page.getByRole('button', { name: 'Upload 16 garments' }))
  await page.getByText('16 of 16 described', { exact: true }).waitFor({ state: 'attached' })
  await click(page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name: 'Export' }))
  const defaults = page.getByRole('region', { name: 'Defaults for shops' })
  await click(defaults.getByText('Show and change the defaults'))
  actions++
  await defaults.getByLabel(/^Price/).fill('12.50')
  await click(defaults.getByRole('button', { name: 'Save defaults' }))
  await page.getByText('The defaults were saved.').waitFor()
  const files: Download[] = []
  page.on('download', (file) => files.push(file))
  await click(page.getByRole('button', { name: 'Download the selected files' }))
  await expect.poll(() => files.length).toBe(5)
  const rows = await Promise.all(
    files.map(async (file): Promise<[string, number]> => {
      const content = await readDownload(file)
      return [file.suggestedFilename().split('-')[1] ?? '', content.split('12.50').length - 1]
    }),
  )
  expect(rows.filter(([, count]) => count >= 16).length).toBeGreaterThanOrEqual(3)
  expect(actions).toBe(8)
})

it('files that are downloaded together have what is marked as listed, and the choice of them is remembered', async () => {
  const { credentials, tenant } = await newGarments('Together', ['a'])
  const garment = async () => (await tenant.call('GET', '/garment-tagging/export')).body.data.garments[0]
  await tenant.expectSuccess('PATCH', '/garment-tagging/garment?uuid=a', { listing: { stage: 'ready' } })
  const page = await open({ as: credentials })
  await page.goto('/dashboard/export?stage=ready')
  const button = page.getByRole('button', { name: 'Download the selected files' })
  await page.getByLabel(/^Google Merchant/).uncheck()
  await page.getByLabel('Also garments that lack something that the shop requires').check()
  await page.getByLabel('Mark what is in the file as listed').check()
  const files: Download[] = []
  page.on('download', (file) => files.push(file))
  await button.click()
  await expect.poll(() => files.length).toBe(4)
  for (const file of files) expect(await readDownload(file)).toMatch(/\n[^\n]*\bG-1\b/)
  await expect.poll(async () => (await garment()).stage).toBe('listed')
  await page.goto('/dashboard/export')
  await expect.poll(async () => await page.getByLabel(/^Google Merchant/).isChecked()).toBe(false)
  for (const shop of [/^Shopify/, /^eBay/, /^WooCommerce/, /^Vinted/])
    await page.getByRole('checkbox', { name: shop }).uncheck()
  await expect.poll(async () => await button.isDisabled()).toBe(true)
})

it("a garment's page is painted before any of its scripts has arrived", async () => {
  const { credentials } = await newGarments('Paint', ['a'])
  const page = await open({ as: credentials })
  const { promise: painted, resolve } = Promise.withResolvers<void>()
  await page.route('**/assets/scripts/**', async (route) => {
    await painted
    await route.continue()
  })
  await page.goto('/dashboard/garment?uuid=a', { waitUntil: 'commit' })
  const paints = async () => await page.evaluate("performance.getEntriesByName('first-contentful-paint').length")
  await expect.poll(paints).toBe(1)
  expect(await page.getByRole('heading', { level: 1 }).isVisible()).toBe(true)
  resolve()
  await page.waitForLoadState('networkidle')
})
