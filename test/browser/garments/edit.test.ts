import { expect, it } from 'vitest'
import { problemsOf } from '../support/accessibility.ts'
import { newGarments } from '../support/host.ts'
import { useBrowser } from '../support/visitor.ts'

const open = useBrowser()

it.each([true, false])(
  'garments are ticked and priced, then all get a size, with scripts: %s',
  async (javaScriptEnabled) => {
    const { credentials } = await newGarments('Edit', ['a', 'b', 'c'])
    const page = await open({ as: credentials, javaScriptEnabled })
    await page.goto('/dashboard/garments?view=rows')
    await page.getByLabel('Select a').check()
    await page.getByLabel('Select b').check()
    await page.getByText('Change several garments').click()
    expect(javaScriptEnabled ? await problemsOf(page) : []).toEqual([])
    await page.getByLabel('Price optional', { exact: true }).fill('12.50')
    await page.getByRole('button', { name: 'Change the selected' }).click()
    await page.getByText('The selected garments were changed.').waitFor()
    await expect.poll(() => page.locator('input.cell[value="12.50"]').count()).toBe(2)
    await page.getByText('Change several garments').click()
    await page.getByRole('textbox', { name: 'Size optional' }).fill('XL')
    await page.getByRole('button', { name: 'Change all matching garments' }).click()
    await page.getByRole('button', { name: 'Change them all' }).click()
    await page.waitForURL('**/dashboard/import/*')
    const changed = async (uuid: string) => {
      await page.goto(`/dashboard/garment?uuid=${uuid}`)
      await page.getByRole('heading', { name: 'Upload and API response' }).click()
      return (await page.locator('.facts').allInnerTexts()).join(' ').replaceAll(/\s+/g, ' ')
    }
    await expect.poll(async () => await changed('c')).toMatch(/Size XL/)
    await expect.poll(() => changed('a')).toMatch(/Price 12\.50 Size XL/)
    await expect.poll(() => changed('c')).not.toContain('Price')

    await page.goto('/dashboard/garments?view=rows')
    await page.getByLabel('Select a').check()
    await page.getByText('Change several garments').click()
    await page.getByLabel('Remove Price').check()
    await page.getByRole('button', { name: 'Change the selected' }).click()
    await page.getByText('The selected garments were changed.').waitFor()
    await expect.poll(() => changed('a')).not.toMatch(/Price 12/)
    await expect.poll(() => changed('b')).toMatch(/Price 12\.50 Size XL/)
    await page.goto('/dashboard/garment?uuid=a')
    await page.getByRole('heading', { name: 'History' }).click()
    await page.getByRole('button', { name: 'Undo Price' }).click()
    // Once by hand, and once by the bulk edit.
    await expect.poll(() => page.getByText('Price: 12.50, added').count()).toBe(2)
  },
)

it.each([true, false])(
  'one garment gets a price and a title on its page, and its history undoes them, with scripts: %s',
  async (javaScriptEnabled) => {
    const { credentials } = await newGarments('Values', ['a'])
    const page = await open({ as: credentials, javaScriptEnabled })
    await page.goto('/dashboard/garment?uuid=a')
    await page.getByLabel('Title optional').fill('Blue shirt')
    await page.getByLabel('Price optional', { exact: true }).fill('12.50')
    expect(javaScriptEnabled ? await problemsOf(page) : []).toEqual([])
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('heading', { name: 'History' }).click()
    await page.getByText('Price: 12.50, added').waitFor()
    await page.getByRole('heading', { name: 'Blue shirt' }).waitFor()
    await page.getByRole('button', { name: 'Undo Title' }).click()
    // A script opens the section that the address leads to.
    if (!javaScriptEnabled) await page.getByRole('heading', { name: 'History' }).click()
    await page.getByText('Title: Blue shirt, removed').waitFor()
    await expect.poll(() => page.getByRole('heading', { level: 1 }).innerText()).not.toBe('Blue shirt')
  },
)

it.each([true, false])('ticked garments are deleted together, with scripts: %s', async (javaScriptEnabled) => {
  const { credentials } = await newGarments('Delete', ['a', 'b', 'c'])
  const page = await open({ as: credentials, javaScriptEnabled })
  await page.goto('/dashboard/garments?view=rows')
  await page.getByLabel('Select a').check()
  await page.getByLabel('Select c').check()
  await page.getByText('Delete several garments').click()
  expect(javaScriptEnabled ? await problemsOf(page) : []).toEqual([])
  await page.getByRole('button', { name: 'Move the selected to the bin' }).click()
  await page.getByText('The selected garments are in the bin.').waitFor()
  await expect.poll(() => page.locator('select.cell').count()).toBe(1)
  await page.getByLabel('Select b').waitFor()
})

it('a corrected item type measures the garment again, and its page follows', async () => {
  const { credentials, query } = await newGarments('Measured again', ['a'])
  const before = await query('a')
  const page = await open({ as: credentials })
  await page.goto('/dashboard/garment?uuid=a')
  await page.getByLabel('Item Type optional', { exact: true }).selectOption('Bag')
  await page.getByLabel('Chest optional', { exact: true }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.waitForURL('**/dashboard/garment?uuid=a')
  await expect.poll(async () => (await query('a')).annotated_img).not.toBe(before.annotated_img)
  const after = await query('a')
  expect(after).toMatchObject({ tag: { 'Item Type': 'Bag' }, corrected: ['Item Type'] })
  expect(Object.keys(after.measurements)).toContain('Width (cm)')
  await expect.poll(() => page.getByLabel('Width optional').getAttribute('placeholder')).toMatch(/^\d/)
  await expect.poll(() => page.getByText('measured again as').count()).toBe(0)
})
