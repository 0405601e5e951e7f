import { expect, it } from 'vitest'
import { problemsOf } from '../support/accessibility.ts'
import { newGarments } from '../support/host.ts'
import { useBrowser } from '../support/visitor.ts'

/** Defines the tests of edits for a browser with or without scripts. */
export function testEdits(javaScriptEnabled: boolean): void {
  const open = useBrowser()

  it('garments are ticked and priced, then all get a size', async () => {
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
    await page.getByRole('textbox', { name: 'Size', exact: true }).fill('XL')
    await page.getByRole('button', { name: 'Change all matching garments' }).click()
    await page.getByRole('button', { name: 'Change them all' }).click()
    await page.waitForURL('**/dashboard/import/*')
    const changed = async (uuid: string) => {
      await page.goto(`/dashboard/garment?uuid=${uuid}`)
      await page.getByRole('heading', { name: 'Upload details' }).click()
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
  })

  it('one garment gets a price and a title on its page, and its history undoes them', async () => {
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
  })

  it('ticked garments are deleted together', async () => {
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
}
