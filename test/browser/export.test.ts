import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { publishGarment } from './support/host.ts'
import { newMerchant, useBrowser } from './support/visitor.ts'

const open = useBrowser()

it('the export page downloads the garments that its filters let through, with JavaScript disabled', async () => {
  const { credentials, tenant } = await newMerchant('Export')
  await tenant.expectSuccess('POST', '/garment-tagging/upload', { uuid: 'e', image_url: await publishGarment() })
  const query = async () => (await tenant.call('GET', '/garment-tagging/query?uuid=e')).body.data
  await expect.poll(async () => (await query()).status, { timeout: 15_000 }).toBe('complete')
  const page = await open({ as: credentials, javaScriptEnabled: false })
  await page.goto('/dashboard/garments')
  await page.getByRole('link', { name: 'Export' }).click()
  const download = async () => {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download' }).click(),
    ])
    return { name: file.suggestedFilename(), text: readFileSync(await file.path(), 'utf8') }
  }
  const csv = await download()
  expect(csv.name).toMatch(/^garments-\d{4}-\d\d-\d\d\.csv$/)
  expect(csv.text.split('\r\n')[1]).toMatch(/^e,complete,/)
  await page.getByLabel('Format').selectOption('json')
  await page.getByLabel('Status').selectOption('failed')
  expect(JSON.parse((await download()).text)).toEqual([])
})
