import { expect, it } from 'vitest'
import { problemsOf } from './support/accessibility.ts'
import { newGarments } from './support/host.ts'
import { useBrowser } from './support/visitor.ts'

const open = useBrowser()

it('a file of prices that is imported once more asks before it overwrites a later price', async () => {
  const { credentials, tenant } = await newGarments('Prices', ['a'])
  const page = await open({ as: credentials })
  const importPrices = async () => {
    await page.goto('/dashboard/imports')
    const buffer = Buffer.from('uuid;Preis\na;6,50\n')
    await page.getByLabel('CSV file').setInputFiles({ name: 'prices.csv', mimeType: 'text/csv', buffer })
    await page.getByRole('button', { name: 'Import the lines' }).click()
    await page.getByRole('heading', { name: 'prices.csv' }).waitFor()
  }
  const price = async () => (await tenant.call('GET', '/garment-tagging/export')).body.data.garments[0].attribute.Price
  await importPrices()
  await page.locator('.badge', { hasText: 'Done' }).waitFor()
  await page.goto('/dashboard/garment?uuid=a')
  await page.getByLabel('Price optional', { exact: true }).fill('8')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Price: 6.50 → 8.00').waitFor({ state: 'attached' })

  await importPrices()
  await page.getByText('1 row changed nothing, because the garments were changed later.').waitFor()
  expect(await problemsOf(page)).toEqual([])
  expect(await price()).toBe('8.00')
  await page.getByRole('button', { name: 'Apply them anyway' }).click()
  await expect.poll(price).toBe('6.50')
})
