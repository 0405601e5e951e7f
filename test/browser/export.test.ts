import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { publishGarment } from './support/host.ts'
import { readDownload } from './support/read-download.ts'
import { newMerchant, useBrowser, type Merchant } from './support/visitor.ts'

const open = useBrowser()

async function upload({ tenant }: Merchant, uuid: string, attribute: Record<string, string> = {}) {
  const image_url = await publishGarment()
  await tenant.expectSuccess('POST', '/garment-tagging/upload', { uuid, image_url, attribute })
  const query = async () => (await tenant.call('GET', `/garment-tagging/query?uuid=${uuid}`)).body.data
  await expect.poll(async () => (await query()).status).toBe('complete')
}

async function download(page: Page, format: string) {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: `Download ${format}` }).click(),
  ])
  return { name: file.suggestedFilename(), text: await readDownload(file) }
}

describe.each([true, false])('the export page, scripts: %s', (javaScriptEnabled) => {
  it('downloads the garments that its filters let through', async () => {
    const merchant = await newMerchant('Export')
    await upload(merchant, 'e')
    const page = await open({ as: merchant.credentials, javaScriptEnabled })
    await page.goto('/dashboard/garments')
    await page.locator('#main').getByRole('link', { name: 'Export' }).click()
    const csv = await download(page, 'CSV')
    expect(csv.name).toMatch(/^garments-\d{4}-\d\d-\d\d\.csv$/)
    expect(csv.text.split('\r\n')[1]).toMatch(/^e,[^,]*,complete,/)
    await page.getByText('Only some garments', { exact: true }).click()
    await page.getByLabel('Status').selectOption('failed')
    expect(JSON.parse((await download(page, 'JSON')).text)).toEqual([])
  })

  it('leads a shop from the list of missing values to a file in its language', async () => {
    const merchant = await newMerchant('Shop')
    await upload(merchant, 'Rock 7', { Gender: 'Damen', Price: '12,50 €', Size: 'M' })
    const page = await open({ as: merchant.credentials, javaScriptEnabled })
    await page.goto('/dashboard/export')
    await page.getByRole('button', { name: 'Check for Google Merchant' }).click()
    await expect
      .poll(() => page.getByRole('region', { name: /^Check/ }).innerText())
      .toMatch(/link is missing: 1 garment/)
    const defaults = page.getByRole('region', { name: 'Defaults for shops' })
    await defaults.getByText('Show and change the defaults').click()
    await defaults.getByLabel('Link to the garment').fill('https://shop.example/{uuid}')
    await defaults.getByLabel('Condition').selectOption('good')
    await defaults.getByLabel('Language').selectOption('Deutsch')
    await defaults.getByRole('button', { name: 'Save defaults' }).click()
    await page.getByText('The defaults were saved.').waitFor()
    await page.getByLabel(/new since the last whole export/).check()
    const file = await download(page, 'Google Merchant')
    expect(file.name).toMatch(/^garments-google-/)
    expect(file.text).toMatch(/\r\nG-1,[^\r]*für Damen.*https:\/\/shop\.example\/Rock%207,.*,12\.50 EUR,used,/s)
    await page.reload()
    await page.getByLabel(/new since the last whole export/).check()
    expect((await download(page, 'Google Merchant')).text.trim().split('\r\n')).toHaveLength(1)
  })
})

it('shows after a download what the file omits, and that it was exported', async () => {
  const merchant = await newMerchant('Omitted')
  await upload(merchant, 'o', {})
  const page = await open({ as: merchant.credentials })
  await page.goto('/dashboard/export')
  await download(page, 'Google Merchant')
  const report = page.getByRole('region', { name: 'Check for Google Merchant' })
  await expect.poll(() => report.innerText()).toMatch(/Of 1 garment, the file omits 1/)
  await expect.poll(() => page.locator('.files').innerText()).toMatch(/Google Merchant\s*Last whole export/)
})
