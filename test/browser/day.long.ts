import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, inject, it } from 'vitest'
import { parseExportDefaults } from '../../src/exports/shops/export-defaults.ts'
import { type ShopFormat, shopOf } from '../../src/exports/shops/shop-formats.ts'
import { rowProblems } from '../../src/exports/shops/shop-rules.ts'
import { encodeJpeg } from '../../src/vision/image/encode-jpeg.ts'
import { makeFlatLay } from '../../training/flat-lay/make-flat-lay.ts'
import { readRows } from '../exports/read-rows.ts'
import { doubtfulSeed } from './support/host.ts'
import { enlargedDrawing } from './support/enlarged-drawing.ts'
import { readDownload } from './support/read-download.ts'
import { newMerchant, useBrowser } from './support/visitor.ts'

const open = useBrowser()

const drawings = Array.from({ length: 12 }, (_, i) =>
  Buffer.from(encodeJpeg(makeFlatLay(i + 1, { width: 240, height: 320 }).picture)),
)

/** 16 of the 60 garments are doubtful. Two people review them. */
const doubtful = Buffer.from(encodeJpeg(makeFlatLay(doubtfulSeed, { width: 600, height: 800 }).picture))

const photographs = (count: number, from: number, nameOf: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => ({
    name: nameOf(from + i),
    mimeType: 'image/jpeg',
    buffer: ((from + i) % 15 < 4 ? doubtful : drawings[(from + i) % drawings.length]) ?? Buffer.alloc(0),
  }))

/** The beginning of an iPhone's HEIC file, which cannot be decoded. */
const heic = {
  name: 'IMG_0061.HEIC',
  mimeType: 'image/heic',
  buffer: Buffer.from('\0\0\0\x24ftypheic\0\0\0\0mif1MiHEmiafMiHBheic', 'latin1'),
}

/** Invites an editor and returns their page. */
async function invited(owner: Page): Promise<Page> {
  await owner.goto('/dashboard/team')
  await owner.getByLabel('For whom').fill('Bob')
  await owner.getByLabel('Role').last().selectOption('editor')
  await owner.getByRole('button', { name: 'Invite' }).click()
  const link = await owner.getByRole('region', { name: 'link' }).innerText()
  const editor = await open()
  await editor.goto(link.trim())
  await editor.getByLabel('Your name').fill('Bob')
  await editor.getByLabel('Email').fill(`bob-${crypto.randomUUID()}@example.com`)
  await editor.getByLabel('Password').fill(crypto.randomUUID())
  await editor.getByRole('button', { name: 'Join' }).click()
  await editor.waitForURL('**/dashboard')
  return editor
}

async function upload(
  page: Page,
  files: Parameters<ReturnType<Page['getByLabel']>['setInputFiles']>[0],
  count: number,
) {
  await page.goto('/dashboard/imports')
  await page.getByLabel('Photographs', { exact: true }).setInputFiles(files)
  // Neighbours with the same drawing are proposed as pictures of one garment.
  await page.getByRole('button', { name: 'All separate' }).click()
  await page.getByRole('button', { name: /^Upload \d+ garments$/ }).click()
  await page
    .getByText(`${count} of ${count} described`, { exact: true })
    .waitFor({ state: 'attached', timeout: 300_000 })
}

const uuidOf = async (page: Page) => await page.locator('#review').getAttribute('data-uuid')

/** Confirms some garments by keyboard. Returns their uuids. */
async function review(page: Page, count: number): Promise<string[]> {
  const reviewed: string[] = []
  await page.goto('/dashboard/review')
  await page.getByRole('button', { name: 'Start reviewing' }).click()
  await page.waitForURL('**/dashboard/review?uuid=*')
  await page.waitForLoadState('networkidle')
  while (reviewed.length < count) {
    const uuid = await uuidOf(page)
    reviewed.push(uuid ?? '')
    await page.keyboard.press('Enter')
    await expect.poll(async () => await uuidOf(page)).not.toBe(uuid)
  }
  // The page saves a garment after it has shown the next one.
  await page.waitForLoadState('networkidle')
  return reviewed
}

async function changeAll(page: Page, change: (page: Page) => Promise<unknown>): Promise<void> {
  await page.goto('/dashboard/garments')
  await page.getByText('Change several garments').click()
  await change(page)
  await page.getByRole('button', { name: 'Change all matching garments' }).click()
  await page.getByRole('button', { name: 'Change them all' }).click()
  await page.waitForURL('**/dashboard/import/*')
}

async function exportFor(page: Page, format: ShopFormat) {
  await page.goto('/dashboard/export')
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: new RegExp(`^Download ${format}`, 'i') }).click(),
  ])
  return readRows(await readDownload(file))
}

/** Collects the ids of a page's requests, to find them in the log. */
function requestsOf(page: Page): Set<string> {
  const ids = new Set<string>()
  page.on('response', (response) => {
    const id = response.headers()['x-request-id']
    if (id !== undefined) ids.add(id)
  })
  return ids
}

it('two people take a day of 60 photographs from their devices to three shops, without an error', async () => {
  const { credentials, tenant } = await newMerchant('Day')
  const owner = await open({ as: credentials })
  const editor = await invited(owner)
  const requests = [requestsOf(owner), requestsOf(editor)]

  // 48 megapixels.
  const large = { name: 'large.jpg', mimeType: 'image/jpeg', buffer: Buffer.from(encodeJpeg(enlargedDrawing(10))) }
  await Promise.all([
    upload(owner, [large, ...photographs(29, 0, (i) => `IMG_${i}.jpg`), heic], 30),
    upload(
      editor,
      photographs(30, 29, (i) => (i > 56 ? 'image.jpg' : `IMG_${i}.jpg`)),
      30,
    ),
  ])
  await owner.getByText('This browser cannot open the file.').waitFor()
  await owner.goto('/dashboard/garments?status=complete')
  await owner.getByText('60 garments', { exact: true }).waitFor()

  const reviewed = (await Promise.all([review(owner, 8), review(editor, 8)])).flat()
  const garments = async () =>
    (await tenant.call('GET', '/garment-tagging/export?limit=100')).body.data.garments as {
      uuid: string
      attribute: Record<string, string>
      confirmed?: string[]
      annotated_img: string
      tag: Record<string, string>
    }[]
  const confirmed = async () => (await garments()).filter((each) => (each.confirmed ?? []).length > 0)
  // No garment was shown to both people.
  await expect.poll(async () => (await confirmed()).map(({ uuid }) => uuid).toSorted()).toEqual(reviewed.toSorted())

  await Promise.all([
    changeAll(owner, async (page) => await page.getByLabel('Price optional', { exact: true }).fill('12.50')),
    changeAll(editor, async (page) => await page.getByLabel('Condition optional').selectOption('good')),
  ])
  const changed = async () =>
    (await garments()).filter(({ attribute }) => attribute['Price'] === '12.50' && attribute['Condition'] === 'good')
  await expect.poll(async () => (await changed()).length).toBe(60)

  await owner.goto('/dashboard/export')
  const defaults = owner.getByRole('region', { name: 'Defaults for shops' })
  await defaults.getByText('Show and change the defaults').click()
  await defaults.getByLabel('Link to the garment').fill('https://shop.example/{uuid}')
  await defaults.getByLabel(/^For/).selectOption('women')
  await defaults.getByLabel(/^Size/).fill('M')
  await defaults.getByRole('button', { name: 'Save defaults' }).click()
  await owner.getByText('The defaults were saved.').waitFor()
  const [shopify, ebay] = await Promise.all([exportFor(owner, 'shopify'), exportFor(editor, 'ebay')])
  const files = { shopify, ebay, google: await exportFor(owner, 'google') }
  // Values with the confidence Low are not exported, but eBay needs an item type and Google a colour.
  const all = await garments()
  const countSure = (name: string) => all.filter(({ tag }) => tag[`${name} Confidence`] !== 'Low').length
  const sizes = { shopify: 60, ebay: countSure('Item Type'), google: countSure('Colour') }
  for (const format of ['shopify', 'ebay', 'google'] as const) {
    const { columns } = shopOf(format, parseExportDefaults(null, 'USD'))
    expect([format, files[format].length]).toEqual([format, sizes[format]])
    const problems = files[format].flatMap((row) => rowProblems(columns, row))
    // Ignores problems about the URLs of local pictures.
    expect(problems.filter(({ problem }) => !problem.includes('which no shop can reach'))).toEqual([])
  }

  const [{ annotated_img: picture } = { annotated_img: '' }] = await garments()
  const [, tenantId = ''] = /\/annotated\/([^/]+)\//.exec(picture) ?? []
  const ids = new Set(requests.flatMap((each) => [...each]))
  const lines = readFileSync(inject('logPath'), 'utf8').split('\n')
  const own = lines.filter((line) => line.includes(tenantId) || ids.has(/"request_id":"([^"]+)"/.exec(line)?.[1] ?? ''))
  expect(own.length).toBeGreaterThan(100)
  expect(own.filter((line) => /"level":"(warn|error)"|"status":[45]\d\d/.test(line))).toEqual([])
})
