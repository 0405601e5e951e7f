import { expect, it } from 'vitest'
import { doubtfulSeed, newGarments, publishGarment } from '../support/host.ts'
import { newMerchant, useBrowser } from '../support/visitor.ts'

const open = useBrowser()

it.each([true, false])('a tag is corrected and the others confirmed, with scripts: %s', async (javaScriptEnabled) => {
  const { credentials, tenant } = await newMerchant('Correction')
  await tenant.expectSuccess('POST', '/garment-tagging/upload', { uuid: 'c', image_url: await publishGarment() })
  const query = async () => (await tenant.call('GET', '/garment-tagging/query?uuid=c')).body.data
  await expect.poll(async () => (await query()).status).toBe('complete')
  const page = await open({ as: credentials, javaScriptEnabled })
  await page.goto('/dashboard/garment?uuid=c')
  await page.getByLabel('Colour optional', { exact: true }).selectOption('Lavender')
  await page.getByLabel('Brand').fill('Corrected Brand')
  await page.getByRole('button', { name: 'Save and confirm all tags' }).click()
  await page.getByText('Saved.', { exact: true }).waitFor()
  await page
    .locator('.field', { has: page.getByLabel('Colour optional', { exact: true }) })
    .getByText('corrected')
    .waitFor()
  await expect.poll(() => page.getByLabel('Colour optional', { exact: true }).inputValue()).toBe('Lavender')
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
  await page.goto('/dashboard/garment?uuid=c')
  const choose = async (itemType: string) => {
    await page.getByLabel('Item Type optional', { exact: true }).selectOption(itemType)
    if (!javaScriptEnabled) await page.getByRole('button', { name: 'Show the fields of the chosen' }).click()
  }
  await page.getByLabel('Brand').fill('Kept')
  await choose('Shirt')
  await page.getByLabel('Sleeve Length optional', { exact: true }).waitFor()
  await choose('Shorts')
  await page.getByLabel('Inseam optional', { exact: true }).fill('20,5')
  await expect.poll(() => page.getByLabel('Sleeve Length optional', { exact: true }).count()).toBe(0)
  await expect.poll(() => page.getByLabel('Brand').inputValue()).toBe('Kept')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Saved.', { exact: true }).waitFor()
  expect(await query()).toMatchObject({
    tag: { 'Item Type': 'Shorts', Brand: 'Kept' },
    measurements: { 'Inseam (cm)': 20.5 },
  })
})

it('a tag in doubt is corrected with three clicks, and the correction is undone with one', async () => {
  const { credentials, tenant } = await newMerchant('Three clicks')
  const image_url = await publishGarment(doubtfulSeed)
  await tenant.expectSuccess('POST', '/garment-tagging/upload', { uuid: 'c', image_url })
  const query = async () => (await tenant.call('GET', '/garment-tagging/query?uuid=c')).body.data
  await expect.poll(async () => (await query()).status).toBe('complete')
  const before = await query()
  for (const width of [1280, 360]) {
    const page = await open({ as: credentials, viewport: { width, height: 800 } })
    await page.goto('/dashboard/garment?uuid=c')
    const field = page.locator('#doubtful select').first()
    const name = ((await field.getAttribute('name')) ?? '').slice('tag.'.length)
    // A click opens the list, and a second one chooses a value.
    const value = await field.locator('option:not(:checked)').last().innerText()
    await field.selectOption(value)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Saved.', { exact: true }).waitFor()
    expect((await query()).tag[name]).toBe(value)
    await page.locator('.toast').getByRole('button', { name: 'Undo' }).click()
    await page.getByText('The change was undone.').waitFor()
    expect((await query()).tag).toEqual(before.tag)
  }
})

it('a garment takes at most three screens of a phone', async () => {
  const { credentials } = await newGarments('Short', ['a'])
  const page = await open({ as: credentials, viewport: { width: 360, height: 800 } })
  await page.goto('/dashboard/garment?uuid=a')
  expect(await page.evaluate('document.documentElement.scrollHeight')).toBeLessThanOrEqual(3 * 800)
  for (const name of ['Title', 'Price', 'Size'])
    expect(await page.getByRole('textbox', { name, exact: true }).isVisible()).toBe(true)
  await page.locator('#measurements summary').click()
  expect(await page.locator('#measurements input').first().isVisible()).toBe(true)
})

it('a garment is confirmed by one key, and a page with unsaved work is left only after a question', async () => {
  const { credentials, tenant } = await newMerchant('Unsaved')
  await tenant.expectSuccess('POST', '/garment-tagging/upload', { uuid: 'c', image_url: await publishGarment() })
  const query = async () => (await tenant.call('GET', '/garment-tagging/query?uuid=c')).body.data
  await expect.poll(async () => (await query()).status).toBe('complete')
  const page = await open({ as: credentials })
  await page.goto('/dashboard/garment?uuid=c')
  await page.getByRole('textbox', { name: 'Price', exact: true }).fill('12,50 €')
  await page.getByText('Not saved yet').waitFor()
  const asked = page.waitForEvent('dialog')
  await page.getByRole('link', { name: 'Overview' }).click({ noWaitAfter: true })
  expect((await asked).type()).toBe('beforeunload')
  open.forgetReports()
  await expect.poll(() => page.url()).toContain('/dashboard/garment?uuid=c')
  await page.getByRole('heading', { level: 1 }).click()
  await page.keyboard.press('c')
  await expect.poll(async () => (await query()).tag['Item Type Confidence']).toBe('High')
  await page.waitForLoadState()
  await expect.poll(() => page.getByRole('textbox', { name: 'Price', exact: true }).inputValue()).toBe('12.50')
})
