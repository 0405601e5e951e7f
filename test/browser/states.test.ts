import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { hostOrigin, publish, publishGarment, received, receiver } from './host.ts'
import { newMerchant, useBrowser, type Merchant } from './visitor.ts'

const open = useBrowser()
let merchant: Merchant
let picture: string

const configure = async (url: string, enabled = true) =>
  await merchant.tenant.expectSuccess('PUT', '/garment-tagging/webhook/config', { enabled, url })

const upload = async (uuid: string, imageUrl: string) =>
  await merchant.tenant.expectSuccess('POST', '/garment-tagging/upload', { uuid, image_url: imageUrl })

/** A retry takes a second and the queue's own pace. */
const slowly = { timeout: 10_000, interval: 300 }

const shows = async (page: Page, text: string) => await page.getByText(text, { exact: true }).first().waitFor()

beforeAll(async () => {
  merchant = await newMerchant('States')
  picture = await publishGarment()
})

describe('a garment', () => {
  it('that waits for its host stands as queuing', async () => {
    const page = await open({ as: merchant.credentials })
    await upload('queuing', await publish('busy.jpg', 'busy', 'status=503'))
    await page.goto('/dashboard/garment?uuid=queuing')
    await shows(page, 'Queuing')
    await page.goto('/dashboard/garments?status=queuing')
    expect(await page.getByRole('row', { name: /queuing/ }).innerText()).toContain('being tagged')
  })

  it('that is being processed stands as such, and ends before the eyes', async () => {
    const page = await open({ as: merchant.credentials })
    await upload('slow', `${picture}delay=2500`)
    await page.goto('/dashboard/garment?uuid=slow')
    await shows(page, 'Processing')
    expect(await page.getByText('This page follows by itself.').isVisible()).toBe(true)
    await shows(page, 'Complete')
    await expect.poll(() => page.locator('#said').textContent()).toBe('Garment: complete')
  })

  it('that failed says why, and is tagged again at a click once the picture is there', async () => {
    const page = await open({ as: merchant.credentials })
    await upload('mended', `${hostOrigin}/files/late.jpg`)
    await page.goto('/dashboard/garment?uuid=mended')
    await shows(page, 'The image host answered with HTTP 404.')
    await publish('late.jpg', new Uint8Array(await (await fetch(picture)).arrayBuffer()))
    await page.getByRole('button', { name: 'Tag it again' }).click()
    await shows(page, 'Complete')
    expect(await page.getByRole('img', { name: /^Annotated picture/ }).count()).toBe(1)
  })

  it('is found by its uuid and by how it begins, and by its status', async () => {
    const page = await open({ as: merchant.credentials })
    await page.goto('/dashboard/garments')
    const rows = page.getByRole('table').getByRole('row')
    await page.getByLabel('Search by uuid').fill('men')
    await page.getByRole('button', { name: 'Search' }).click()
    await page.waitForURL('**search=men')
    expect(await rows.count()).toBe(2)
    await page.getByLabel('Search by uuid').fill('100%_')
    await page.getByRole('button', { name: 'Search' }).click()
    await page.getByText('No uuid begins with “100%_”.').waitFor()
    await page.getByRole('link', { name: 'Failed' }).click()
    await page.getByText('No garment is failed').waitFor()
    await page.getByRole('link', { name: 'Show all garments' }).click()
    await page.waitForURL('**/dashboard/garments')
    expect(await rows.count()).toBeGreaterThan(3)
  })
})

describe('a delivery', () => {
  it('that was taken stands as delivered, with what was answered', async () => {
    const page = await open({ as: merchant.credentials })
    await configure(receiver('taken', 'status=202&text=noted'))
    await upload('taken', picture)
    await page.goto('/dashboard/garment?uuid=taken')
    await shows(page, 'Delivered')
    await page.getByRole('link', { name: 'Attempts and resend' }).click()
    await shows(page, 'HTTP 202')
    expect(await page.getByRole('region', { name: /^Answer at/ }).innerText()).toBe('noted')
    await page.getByRole('button', { name: 'Send again' }).click()
    await page.getByText('· asked for by hand').waitFor()
    await expect.poll(async () => (await received('taken')).length).toBe(2)
  })

  it('that is refused stands as pending with its next attempt, and can be attempted at once', async () => {
    const page = await open({ as: merchant.credentials })
    await configure(receiver('refused', 'status=503,503,200&phrase=Busy'))
    await upload('refused', picture)
    await expect
      .poll(async () => {
        await page.goto('/dashboard/delivery?uuid=refused')
        return await page.getByRole('main').innerText()
      }, slowly)
      .toMatch(/Next attempt in \d+ (min|h)/)
    expect(await page.getByRole('listitem').filter({ hasText: 'HTTP 503: Busy' }).count()).toBe(2)
    await page.goto('/dashboard/deliveries?status=pending')
    expect(await page.getByRole('row', { name: /refused/ }).innerText()).toMatch(/Pending[\s\S]*HTTP 503: Busy/)
    await page.getByRole('link', { name: 'refused' }).click()
    await page.getByRole('button', { name: 'Attempt now' }).click()
    await shows(page, 'Delivered')
  })

  it('that a receiver does not want any more stands as permanently failed, and says when the webhook is off', async () => {
    const page = await open({ as: merchant.credentials })
    await configure(receiver('gone', 'status=410&text=moved+away'))
    await upload('gone', picture)
    await page.goto('/dashboard/garment?uuid=gone')
    await shows(page, 'Permanently failed')
    await page.goto('/dashboard')
    await page.getByText(/Your system has not taken a delivery for/).waitFor()
    await page.goto('/dashboard/deliveries?status=permanently_failed')
    await page.getByRole('link', { name: 'gone' }).click()
    expect(await page.getByText('Next attempt').count()).toBe(0)
    const resend = page.getByRole('button', { name: 'Send again' })
    expect(await resend.count()).toBe(1)
    await configure(receiver('gone'), false)
    // The page is still open while the webhook goes off: the refusal says what to do.
    await resend.click()
    expect(await page.getByRole('alert').innerText()).toContain('Switch the webhook on to have a delivery made again.')
    await page.getByText('The webhook is off.').waitFor()
  })

  it('is not there for a garment that was tagged with the webhook off', async () => {
    const page = await open({ as: merchant.credentials })
    await configure(receiver('off'), false)
    await upload('unsent', picture)
    await page.goto('/dashboard/garment?uuid=unsent')
    await shows(page, 'No delivery')
    await page.goto('/dashboard/delivery?uuid=unsent')
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Delivery not found')
  })
})

it('the usage page counts what ended, and lists go on page by page', async () => {
  const page = await open({ as: merchant.credentials })
  await page.goto('/dashboard/usage')
  const table = page.getByRole('table', { name: 'Deliveries that ended, by day' })
  expect(await table.getByRole('row').count()).toBe(2)
  expect(await page.getByText(/\d+ of 600 requests/).count()).toBe(1)
  for (let i = 0; i < 25; i++) await upload(`page-${String(i).padStart(2, '0')}`, `${hostOrigin}/files/none-${i}.jpg`)
  await page.goto('/dashboard/garments')
  const seen = await page.locator('td + td + td time').count()
  await page.getByRole('link', { name: 'Older garments' }).click()
  await page.getByRole('link', { name: 'To the first page' }).waitFor()
  expect([seen, await page.getByRole('link', { name: 'page-00' }).count()]).toEqual([24, 1])
})
