import { expect, it } from 'vitest'
import { problemsOf } from '../support/accessibility.ts'
import { publishGarment } from '../support/host.ts'
import { newMerchant, useBrowser } from '../support/visitor.ts'

const open = useBrowser()

async function newGarments(name: string, uuids: readonly string[]) {
  const merchant = await newMerchant(name)
  const query = async (uuid: string) =>
    (await merchant.tenant.call('GET', `/garment-tagging/query?uuid=${uuid}`)).body.data
  for (const uuid of uuids)
    await merchant.tenant.expectSuccess('POST', '/garment-tagging/upload', { uuid, image_url: await publishGarment() })
  for (const uuid of uuids)
    await expect.poll(async () => (await query(uuid)).status, { timeout: 20_000 }).toBe('complete')
  return { ...merchant, query }
}

it.each([true, false])(
  'garments are ticked and priced, then all get a size, with scripts: %s',
  async (javaScriptEnabled) => {
    const { credentials } = await newGarments('Edit', ['a', 'b', 'c'])
    const page = await open({ as: credentials, javaScriptEnabled })
    await page.goto('/dashboard/garments')
    await page.getByLabel('Select a').check()
    await page.getByLabel('Select b').check()
    await page.getByText('Change several garments').click()
    expect(javaScriptEnabled ? await problemsOf(page) : []).toEqual([])
    await page.getByLabel('Price').fill('12.50')
    await page.getByRole('button', { name: 'Change the selected' }).click()
    await page.getByText('The selected garments were changed.').waitFor()
    await page.getByText('Change several garments').click()
    await page.getByLabel('Size').fill('XL')
    await page.getByRole('button', { name: 'Change all that the list finds' }).click()
    await page.waitForURL('**/dashboard/imports/*')
    const changed = async (uuid: string) => {
      await page.goto(`/dashboard/garment?uuid=${uuid}`)
      return (await page.locator('.facts').allInnerTexts()).join(' ').replaceAll(/\s+/g, ' ')
    }
    await expect.poll(async () => await changed('c'), { timeout: 20_000 }).toMatch(/Size XL/)
    expect(await changed('a')).toMatch(/Price 12\.50 Size XL/)
    expect(await changed('c')).not.toContain('Price')
  },
)

it('a corrected item type measures the garment again, and its page follows', async () => {
  const { credentials, query } = await newGarments('Measured again', ['a'])
  const before = await query('a')
  const page = await open({ as: credentials })
  await page.goto('/dashboard/correct?uuid=a')
  await page.getByLabel('Item Type optional', { exact: true }).selectOption('Skirt')
  await page.getByLabel('Inseam').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.waitForURL('**/dashboard/garment?uuid=a')
  await expect.poll(async () => (await query('a')).annotated_img, { timeout: 20_000 }).not.toBe(before.annotated_img)
  const after = await query('a')
  expect(after).toMatchObject({ tag: { 'Item Type': 'Skirt' }, corrected: ['Item Type'] })
  expect(Object.keys(after.measurements)).toContain('Hip (cm)')
  await page.getByRole('row', { name: /^Hip/ }).waitFor()
  expect(await page.getByText('measured again as').count()).toBe(0)
})
