import { expect, it } from 'vitest'
import { problemsOf } from '../support/accessibility.ts'
import { newGarments } from '../support/host.ts'
import { useBrowser } from '../support/visitor.ts'

const open = useBrowser()

it('labels are printed of ticked garments, and a number that is typed opens its garment', async () => {
  const { credentials } = await newGarments('Labels', ['a', 'b'])
  const page = await open({ as: credentials })
  await page.goto('/dashboard/garments')
  await page.getByLabel('Select a').check()
  await page.getByText('Print labels').click()
  expect(await problemsOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Labels of the selected' }).click()
  const labels = page.getByRole('list', { name: 'Labels' }).getByRole('listitem')
  await labels.first().waitFor()
  await expect.poll(() => labels.count()).toBe(1)
  expect(await problemsOf(page)).toEqual([])
  await page.emulateMedia({ media: 'print' })
  await expect.poll(() => page.getByRole('navigation').count()).toBe(0)
  // 70 × 37 mm at 96 pixels an inch.
  const box = await labels.first().boundingBox()
  expect([Math.round(box?.width ?? 0), Math.round(box?.height ?? 0)]).toEqual([265, 140])
  await page.emulateMedia({ media: 'screen' })
  const number = await labels.first().locator('.number').innerText()
  await page.getByLabel('Search garments').fill(number)
  await page.getByLabel('Search garments').press('Enter')
  await page.waitForURL('**/dashboard/garment?uuid=a')
})

it.each([true, false])(
  'what was changed together is undone together, and a deletion is undone in the bin, with scripts: %s',
  async (javaScriptEnabled) => {
    const { credentials } = await newGarments('Undo', ['a', 'b'])
    const page = await open({ as: credentials, javaScriptEnabled })
    await page.goto('/dashboard/garments?view=rows')
    for (const uuid of ['a', 'b']) await page.getByLabel(`Select ${uuid}`).check()
    await page.getByText('Change several garments').click()
    await page.getByLabel('Price optional', { exact: true }).fill('12.50')
    await page.getByRole('button', { name: 'Change the selected' }).click()
    await expect.poll(() => page.locator('input.cell[value="12.50"]').count()).toBe(2)
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await page.getByRole('heading', { name: 'Undo: Price of 2 garments' }).waitFor()
    await page.locator('.badge', { hasText: 'Done' }).waitFor()
    await page.goto('/dashboard/garments')
    await expect.poll(() => page.locator('input.cell[value="12.50"]').count()).toBe(0)

    await page.goto('/dashboard/garment?uuid=a')
    await page.getByRole('heading', { name: 'Delete the garment' }).click()
    await page.getByRole('button', { name: 'Move it to the bin' }).click()
    await page.getByText('The garment is in the bin.').waitFor()
    expect(javaScriptEnabled ? await problemsOf(page) : []).toEqual([])
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await page.getByText('The deletion was undone.').waitFor()
    await page.goto('/dashboard/garments')
    await page.getByLabel('Select a').waitFor()
  },
)
