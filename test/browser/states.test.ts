import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { hostOrigin, publish, publishGarment, received, receiver, release } from './support/host.ts'
import { newMerchant, useBrowser, type Merchant } from './support/visitor.ts'

const open = useBrowser()
let merchant: Merchant
let picture: string

const configure = async (url: string, enabled = true) =>
  await merchant.tenant.expectSuccess('PUT', '/garment-tagging/webhook/config', { enabled, url })

const upload = async (uuid: string, imageUrl: string) =>
  await merchant.tenant.expectSuccess('POST', '/garment-tagging/upload', { uuid, image_url: imageUrl })

const shows = async (page: Page, text: string) => await page.getByText(text, { exact: true }).first().waitFor()

beforeAll(async () => {
  merchant = await newMerchant('States')
  picture = await publishGarment()
})

describe('a garment', () => {
  it('is shown as queuing while its image host is unavailable', async () => {
    const page = await open({ as: merchant.credentials })
    await upload('queuing', await publish('busy.jpg', 'busy', 'status=503'))
    await page.goto('/dashboard/garment?uuid=queuing')
    await shows(page, 'Waiting')
    await page.goto('/dashboard/garments?status=waiting&view=rows')
    await expect.poll(() => page.getByRole('row', { name: /queuing/ }).innerText()).toContain('being described')
  })

  it('is shown as queuing until its picture arrives, and the page updates when it is complete', async () => {
    const page = await open({ as: merchant.credentials })
    await upload('slow', `${picture}hold`)
    await page.goto('/dashboard/garment?uuid=slow')
    await shows(page, 'Waiting')
    await expect.poll(() => page.getByText('This page updates automatically.').isVisible()).toBe(true)
    await release('garment-7.jpg')
    await page.getByRole('heading', { name: /^Measurements/ }).waitFor()
    await expect.poll(() => page.locator('#announcement').textContent()).toBe('Garment: complete')
  })

  it('shows why it failed, and can be tagged again', async () => {
    const page = await open({ as: merchant.credentials })
    await upload('fixed', `${hostOrigin}/files/late.jpg`)
    await page.goto('/dashboard/garment?uuid=fixed')
    await shows(page, 'The image host answered with HTTP 404. Check that the address opens, then try again.')
    await publish('late.jpg', new Uint8Array(await (await fetch(picture)).arrayBuffer()))
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: /^Measurements/ }).waitFor()
    await expect.poll(() => page.getByRole('img', { name: /^Picture of the garment/ }).count()).toBe(1)
  })

  it('is found by the beginning of its uuid and by its status', async () => {
    const page = await open({ as: merchant.credentials })
    await page.goto('/dashboard/garments?view=rows')
    const rows = page.getByRole('table').getByRole('row')
    await page.getByLabel('Search garments').fill('fix')
    await page.getByRole('button', { name: 'Search' }).click()
    await page.waitForURL('**search=fix*')
    await expect.poll(() => rows.count()).toBe(2)
    await page.getByLabel('Search garments').fill('100%_')
    await page.getByRole('button', { name: 'Search' }).click()
    await page.getByText('contains all of these words: “100%_”').waitFor()
    await page.getByRole('link', { name: 'Failed' }).click()
    // The search field keeps its text.
    await page.getByText('No garments found').waitFor()
    await expect.poll(() => page.getByLabel('Search garments').inputValue()).toBe('100%_')
    await page.getByRole('link', { name: 'Show all garments' }).click()
    await page.waitForURL('**/dashboard/garments')
    await expect.poll(() => rows.count()).toBeGreaterThan(3)
  })
})

describe('a delivery', () => {
  it('is shown as delivered with the response', async () => {
    const page = await open({ as: merchant.credentials })
    await configure(receiver('accepted', 'status=202&text=thanks'))
    await upload('accepted', picture)
    await page.goto('/dashboard/garment?uuid=accepted')
    await shows(page, 'Delivered')
    await page.getByRole('link', { name: 'Attempts and resend' }).click()
    await shows(page, 'HTTP 202')
    await expect.poll(() => page.getByRole('region', { name: /^Response at/ }).innerText()).toBe('thanks')
    await page.getByRole('button', { name: 'Send again' }).click()
    await page.getByText('· manual').waitFor()
    await expect.poll(async () => (await received('accepted')).length).toBe(2)
  })

  it('is shown as pending with its next attempt, and can be attempted now', async () => {
    const page = await open({ as: merchant.credentials })
    await configure(receiver('refused', 'status=503,503,200&phrase=Busy'))
    await upload('refused', picture)
    await expect
      .poll(async () => {
        await page.goto('/dashboard/delivery?uuid=refused')
        return await page.getByRole('main').innerText()
      })
      .toMatch(/Next attempt in \d+ (min|h)/)
    await expect.poll(() => page.getByRole('listitem').filter({ hasText: 'HTTP 503: Busy' }).count()).toBe(2)
    await page.goto('/dashboard/deliveries?status=pending')
    await expect
      .poll(() => page.getByRole('row', { name: /refused/ }).innerText())
      .toMatch(/Pending[\s\S]*HTTP 503: Busy/)
    await page.getByRole('link', { name: 'refused' }).click()
    await page.getByRole('button', { name: 'Attempt now' }).click()
    await shows(page, 'Delivered')
  })

  it('is shown as permanently failed after HTTP 410, and says when the webhook is off', async () => {
    const page = await open({ as: merchant.credentials })
    await configure(receiver('gone', 'status=410&text=moved+away'))
    await upload('gone', picture)
    await page.goto('/dashboard/garment?uuid=gone')
    await shows(page, 'Permanently failed')
    await page.goto('/dashboard')
    await page.getByText(/Deliveries to your system have failed for/).waitFor()
    await page.goto('/dashboard/deliveries?status=permanently_failed')
    await page.getByRole('link', { name: 'gone' }).click()
    const resend = page.getByRole('button', { name: 'Send again' })
    await resend.waitFor()
    await expect.poll(() => page.getByText('Next attempt').count()).toBe(0)
    await configure(receiver('gone'), false)
    // The webhook is disabled while the page is open.
    await resend.click()
    await expect.poll(() => page.getByRole('alert').innerText()).toContain('Enable the webhook before redelivering.')
    await page.getByText('The webhook is off.').waitFor()
  })

  it('does not exist for a garment tagged while the webhook was off', async () => {
    const page = await open({ as: merchant.credentials })
    await configure(receiver('off'), false)
    await upload('unsent', picture)
    await page.goto('/dashboard/garment?uuid=unsent')
    await page.getByRole('heading', { name: /^Measurements/ }).waitFor()
    await page.getByRole('heading', { name: 'Webhook delivery' }).waitFor({ state: 'detached' })
    await page.goto('/dashboard/delivery?uuid=unsent')
    await expect.poll(() => page.getByRole('heading', { level: 1 }).innerText()).toBe('Delivery not found')
  })
})

it('the usage page counts finished garments and deliveries, and lists are paged', async () => {
  const page = await open({ as: merchant.credentials })
  await page.goto('/dashboard/usage')
  const table = page.getByRole('table', { name: 'Finished deliveries by day' })
  await expect.poll(async () => await table.getByRole('row').count()).toBe(2)
  await expect.poll(() => page.getByText(/\d+ of 600 requests/).count()).toBe(1)
  for (let i = 0; i < 25; i++) await upload(`page-${String(i).padStart(2, '0')}`, `${hostOrigin}/files/none-${i}.jpg`)
  await page.goto('/dashboard/garments')
  const seen = await page.locator('.cards > li').count()
  await page.getByRole('link', { name: 'Older garments' }).click()
  await page.getByRole('link', { name: 'First page' }).waitFor()
  expect([seen, await page.getByRole('link', { name: 'page-00' }).count()]).toEqual([24, 1])
})
