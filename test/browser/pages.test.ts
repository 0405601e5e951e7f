import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { createClient } from '../support/api-client.ts'
import { bringAxe, problemsOf } from './support/accessibility.ts'
import { publish, publishGarment, receiver } from './support/host.ts'
import { submit } from './support/submit.ts'
import { newMerchant, serviceUrl, useBrowser, type Credentials, type Merchant } from './support/visitor.ts'

const open = useBrowser()
const maxPageBytes = 60 * 1024
const maxScriptBytes = 30_000

let merchant: Merchant
const newcomer: Credentials = { email: `${crypto.randomUUID()}@example.com`, password: 'a long enough password' }

beforeAll(async () => {
  await createClient(serviceUrl).expectSuccess('POST', '/merchant/sign-up', { ...newcomer, name: 'New' })
  merchant = await newMerchant('Pages')
  const { tenant } = merchant
  const upload = async (uuid: string, imageUrl: string) =>
    await tenant.expectSuccess('POST', '/garment-tagging/upload', { uuid, image_url: imageUrl })
  const configure = async (query: string) =>
    await tenant.expectSuccess('PUT', '/garment-tagging/webhook/config', { enabled: true, url: receiver('p', query) })
  const ended = async (uuid: string, status: string) =>
    await vi.waitFor(
      async () => {
        const answer = await tenant.call('GET', `/garment-tagging/webhook/delivery-status?uuid=${uuid}`)
        if (answer.body.data.status !== status) throw new Error(`${uuid} is not ${status} yet`)
      },
      { timeout: 300_000, interval: 200 },
    )
  await configure('status=200&text=ok')
  await upload('complete', await publishGarment())
  await ended('complete', 'delivered')
  await configure('status=410&text=gone')
  await upload('failed', await publish('text.jpg', 'text'))
  await ended('failed', 'permanently_failed')
  await configure('status=500&text=oh')
  for (let i = 0; i < 27; i++) await upload(`failed-${i}`, await publish('text.jpg', 'text'))
  await upload('queuing', await publish('busy.jpg', 'busy', 'status=503'))
  await ended('failed-26', 'pending')
  await tenant.expectSuccess('POST', '/garment-tagging/webhook/endpoints', {
    url: receiver('second'),
    description: 'Search index',
    enabled: false,
  })
  // Pages whose URLs contain generated ids.
  const page = await open(as('a merchant'))
  await page.goto('/dashboard/team')
  await page.getByRole('button', { name: 'Make a link' }).click()
  outside.push((await page.getByRole('region', { name: 'link' }).innerText()).trim())
  await page.goto('/dashboard/imports')
  await page.getByLabel('Or paste the lines').fill('uuid,Price\ncomplete,5\nunknown,x\n')
  await page.getByRole('button', { name: 'Import the lines' }).click()
  await page.waitForURL('**/dashboard/import/*')
  inside.push(page.url())
})

const outside = ['/', '/dashboard/sign-in', '/dashboard/sign-up', '/dashboard/sign-in?next=/dashboard/keys']
const withoutTenant = [
  '/dashboard',
  '/dashboard/account',
  '/dashboard/tenant',
  '/dashboard/garments',
  '/dashboard/imports',
  '/dashboard/usage',
]
const inside = [
  '/dashboard',
  '/dashboard/garments',
  '/dashboard/garments?search=none',
  '/dashboard/garment?uuid=complete',
  '/dashboard/garment?uuid=failed',
  '/dashboard/bin',
  '/dashboard/garment?uuid=queuing',
  '/dashboard/review',
  '/dashboard/accuracy',
  '/dashboard/export',
  '/dashboard/export?check=google',
  '/dashboard/export/columns',
  '/dashboard/export/columns?like=WooCommerce',
  '/dashboard/imports',
  '/dashboard/upload',
  '/dashboard/webhook',
  '/dashboard/webhook/endpoint?id=first',
  '/dashboard/webhook/new',
  '/dashboard/webhook/payload?event=tagging.completed',
  '/dashboard/deliveries',
  '/dashboard/deliveries?endpoint=first&from=2026-01-01T00:00',
  '/dashboard/deliveries?status=delivered',
  '/dashboard/delivery?uuid=complete',
  '/dashboard/delivery?uuid=failed-26',
  '/dashboard/keys',
  '/dashboard/usage',
  '/dashboard/tenant',
  '/dashboard/account',
  '/dashboard/team',
  '/dashboard/audit',
  '/dashboard/build',
  '/dashboard/style',
  '/dashboard/garment?uuid=unknown',
]

const visits: Readonly<Record<string, readonly string[]>> = {
  'a visitor': outside,
  'a newcomer': withoutTenant,
  'a merchant': inside,
}

const credentialsOf = (who: string) =>
  ({ 'a visitor': undefined, 'a newcomer': newcomer, 'a merchant': merchant.credentials })[who]

const as = (who: string) => {
  const credentials = credentialsOf(who)
  return credentials === undefined ? {} : { as: credentials }
}

const scriptsOfPage =
  "performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => name.endsWith('.js'))"

/** Measures the bytes that a page transfers with an empty cache, without images. */
async function startWeighing(page: Page) {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.setCacheDisabled', { cacheDisabled: true })
  let bytes = 0
  /** Script sizes by URL, for scripts that the browser has cached from another page. */
  const scriptBytes = new Map<string, number>()
  page.on('response', async (response) => {
    const type = response.request().resourceType()
    if (type === 'image') return
    // Responses that arrive while the page closes have no size and are ignored.
    const sizes = await response
      .request()
      .sizes()
      .catch(() => null)
    if (sizes === null) return
    bytes += sizes.responseBodySize + sizes.responseHeadersSize
    if (type === 'script' && sizes.responseBodySize > 0) scriptBytes.set(response.url(), sizes.responseBodySize)
  })
  return {
    reset: () => void (bytes = 0),
    async read() {
      await page.waitForLoadState('networkidle')
      const scripts: string[] = await page.evaluate(scriptsOfPage)
      return { bytes, scriptBytes: scripts.reduce((sum, url) => sum + (scriptBytes.get(url) ?? Infinity), 0) }
    },
  }
}

const windows = [
  { scheme: 'light', width: 1280, rules: 'all' },
  { scheme: 'light', width: 360, rules: 'all' },
  { scheme: 'dark', width: 1280, rules: 'colours' },
] as const

/** Opens every page once, measures it, and checks it in all window sizes. */
async function look(who: string) {
  const page = await open(as(who))
  await bringAxe(page)
  const scales = await startWeighing(page)
  const seen: {
    path: string
    bytes: number
    scriptBytes: number
    inWindows: { problems: string[]; isTooWide: boolean }[]
  }[] = []
  for (const path of visits[who] ?? []) {
    scales.reset()
    await page.goto(path)
    const inWindows = []
    for (const { scheme, width, rules } of windows) {
      await page.setViewportSize({ width, height: 800 })
      await page.emulateMedia({ colorScheme: scheme })
      const problems = await problemsOf(page, rules)
      const excess = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
      inWindows.push({ problems, isTooWide: Number(excess) > 0 })
    }
    seen.push({ path, ...(await scales.read()), inWindows })
  }
  return seen
}

const seenBy = new Map<string, ReturnType<typeof look>>()

/** Cached, because several tests use a visitor's pages. */
async function lookOnce(who: string): ReturnType<typeof look> {
  const seen = seenBy.get(who) ?? look(who)
  seenBy.set(who, seen)
  return await seen
}

const visitors = Object.keys(visits)

describe.each(windows.map((window, i) => ({ ...window, i })))('in $scheme at $width pixels', ({ i }) => {
  it.each(visitors)('no page for %s has accessibility violations or is wider than the window', async (who) => {
    const seen = await lookOnce(who)
    expect(seen).not.toEqual([])
    for (const { path, inWindows } of seen)
      expect([path, inWindows[i]]).toEqual([path, { problems: [], isTooWide: false }])
  })
})

it('forms with problems, the new key and the test result have no accessibility violations', async () => {
  const page = await open(as('a merchant'))
  const press = async (path: string, button: string) => {
    await page.goto(path)
    await submit(page, button)
    expect([path, await problemsOf(page)]).toEqual([path, []])
  }
  await press('/dashboard/upload', 'Upload and tag')
  await press('/dashboard/keys', 'Create key')
  await press('/dashboard/tenant', 'Save studio')
  await page.goto('/dashboard/tenant')
  await page.getByLabel('Days to keep').fill('0')
  await submit(page, 'Save period')
  expect(await problemsOf(page)).toEqual([])
  await press('/dashboard/tenant', 'Delete the shop')
  await press('/dashboard/webhook/endpoint?id=first', 'Send a test event')
  await page.goto('/dashboard/keys')
  await page.getByLabel('Name').fill('another')
  await submit(page, 'Create key')
  await page.getByRole('heading', { name: 'Your new API key' }).waitFor()
  expect(await problemsOf(page)).toEqual([])
})

it.each(visitors)('every page for %s is at most 60 KB without images, with an empty cache', async (who) => {
  const seen = await lookOnce(who)
  expect(seen).not.toEqual([])
  expect(seen.filter(({ bytes }) => bytes < 1000 || bytes > maxPageBytes)).toEqual([])
})

it.each(visitors)('no page for %s has scripts of more than 30 kB', async (who) => {
  const seen = await lookOnce(who)
  expect(seen).not.toEqual([])
  expect(seen.filter(({ scriptBytes }) => !(scriptBytes > 500 && scriptBytes <= maxScriptBytes))).toEqual([])
})
