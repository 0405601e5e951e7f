import { expect, it } from 'vitest'
import { newGarments } from '../support/host.ts'
import { useBrowser } from '../support/visitor.ts'

const open = useBrowser()

it('a sheet of labels is one page of A4, and each label of a roll is a page of its own', async () => {
  const { credentials } = await newGarments('Paper', ['a', 'b'])
  const page = await open({ as: credentials })
  for (const [sheet, pages] of [
    ['a4-24', 1],
    ['a4-40', 1],
    ['roll-62', 2],
    ['roll-57', 2],
  ] as const) {
    await page.goto('/dashboard/garments')
    await page.getByText('Print labels').click()
    await page.getByLabel('Labels', { exact: true }).selectOption(sheet)
    await page.getByRole('button', { name: 'Labels of all matching garments' }).click()
    await page.getByRole('list', { name: 'Labels' }).waitFor()
    const paper = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
    expect([sheet, paper.match(/\/Type\s*\/Page\b/g)?.length]).toEqual([sheet, pages])
  }
  // The page remembers the last choice.
  await page.goto('/dashboard/garments')
  await page.getByText('Print labels').click()
  await expect.poll(() => page.getByLabel('Labels', { exact: true }).inputValue()).toBe('roll-57')
})
