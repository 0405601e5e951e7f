import { expect, it } from 'vitest'
import { publishGarment } from '../support/host.ts'
import { newMerchant, useBrowser } from '../support/visitor.ts'

const open = useBrowser()

it.each([true, false])('a tag is corrected and the others confirmed, with scripts: %s', async (javaScriptEnabled) => {
  const { credentials, tenant } = await newMerchant('Correction')
  await tenant.expectSuccess('POST', '/garment-tagging/upload', { uuid: 'c', image_url: await publishGarment() })
  const query = async () => (await tenant.call('GET', '/garment-tagging/query?uuid=c')).body.data
  await expect.poll(async () => (await query()).status).toBe('complete')
  const page = await open({ as: credentials, javaScriptEnabled })
  await page.goto('/dashboard/garment?uuid=c')
  await page.getByRole('link', { name: 'Correct or confirm' }).click()
  await page.getByLabel('Colour optional', { exact: true }).selectOption('Lavender')
  await page.getByLabel('Brand').fill('Corrected Brand')
  await page.getByRole('button', { name: 'Save and confirm all others' }).click()
  await page.waitForURL('**/dashboard/garment?uuid=c')
  expect(await page.getByRole('row', { name: /^Colour Lavender/ }).innerText()).toMatch(/High\s+corrected/)
  expect(await query()).toMatchObject({
    tag: { Colour: 'Lavender', Brand: 'Corrected Brand', 'Item Type Confidence': 'High' },
    corrected: ['Colour', 'Brand'],
  })
})

it.each([true, false])('another item type renews the form, with scripts: %s', async (javaScriptEnabled) => {
  const { credentials, tenant } = await newMerchant('Renewed')
  await tenant.expectSuccess('POST', '/garment-tagging/upload', { uuid: 'c', image_url: await publishGarment() })
  const query = async () => (await tenant.call('GET', '/garment-tagging/query?uuid=c')).body.data
  await expect.poll(async () => (await query()).status).toBe('complete')
  const page = await open({ as: credentials, javaScriptEnabled })
  await page.goto('/dashboard/correct?uuid=c')
  const choose = async (itemType: string) => {
    await page.getByLabel('Item Type optional', { exact: true }).selectOption(itemType)
    if (!javaScriptEnabled) await page.getByRole('button', { name: 'Show the fields of the chosen' }).click()
  }
  await page.getByLabel('Brand').fill('Kept')
  await choose('Shirt')
  await page.getByLabel('Sleeve Length').waitFor()
  await choose('Shorts')
  await page.getByLabel('Inseam').fill('20,5')
  expect(await page.getByLabel('Sleeve Length').count()).toBe(0)
  expect(await page.getByLabel('Brand').inputValue()).toBe('Kept')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.waitForURL('**/dashboard/garment?uuid=c')
  expect(await query()).toMatchObject({
    tag: { 'Item Type': 'Shorts', Brand: 'Kept' },
    measurements: { 'Inseam (cm)': 20.5 },
  })
})
