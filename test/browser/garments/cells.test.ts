import { expect, it } from 'vitest'
import { problemsOf } from '../support/accessibility.ts'
import { newGarments } from '../support/host.ts'
import { submit } from '../support/submit.ts'
import { useBrowser } from '../support/visitor.ts'

const open = useBrowser()

it('rows are edited from cell to cell by keyboard, saved at once and undone', async () => {
  const { credentials, query } = await newGarments('Cells', ['a', 'b'])
  const page = await open({ as: credentials })
  await page.goto('/dashboard/garments?view=rows')
  const focused = async () => await page.evaluate('document.activeElement.getAttribute("name")')
  const press = async (key: string) => {
    await page.keyboard.press(key)
    return await focused()
  }
  // The newest garment comes first.
  await page.locator('[name="cell.Size.b"]').focus()
  await page.keyboard.type('XL')
  expect(await press('Tab')).toBe('cell.Price.b')
  await expect.poll(async () => (await query('b')).attribute).toEqual({ Size: 'XL' })
  await page.keyboard.type('12')
  expect(await press('Enter')).toBe('cell.Price.a')
  await expect.poll(async () => (await query('b')).attribute).toEqual({ Size: 'XL', Price: '12.00' })
  expect(await press('ArrowLeft')).toBe('cell.Size.a')
  await page.keyboard.type('wrong')
  await page.keyboard.press('Escape')
  await expect.poll(() => page.locator('[name="cell.Size.a"]').inputValue()).toBe('')
  expect(await press('ArrowUp')).toBe('cell.Size.b')
  expect(await press('ArrowRight')).toBe('cell.Price.b')
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect.poll(async () => (await query('b')).attribute).toEqual({ Size: 'XL' })

  await page.locator('[name="cell.Stage.b"]').selectOption('sold')
  await page.getByRole('dialog').waitFor()
  expect(await problemsOf(page)).toEqual([])
  await page.getByLabel('Price', { exact: true }).fill('9,50')
  await page.getByLabel('Sold on').fill('Vinted')
  await page.getByRole('button', { name: 'Save as sold' }).click()
  await expect
    .poll(async () => (await query('b')).attribute)
    .toMatchObject({ Stage: 'sold', 'Sold price': '9.50', 'Sold channel': 'Vinted' })
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect.poll(async () => (await query('b')).attribute).toEqual({ Size: 'XL' })
})

it('changed cells are saved by a button without scripts', async () => {
  const { credentials, query } = await newGarments('Plain cells', ['a'])
  const page = await open({ as: credentials, javaScriptEnabled: false })
  await page.goto('/dashboard/garments?view=rows')
  await page.getByLabel(/^Price of/).fill('7')
  await page.getByLabel(/^Stage of/).selectOption('listed')
  await submit(page, 'Save the changed cells')
  await page.getByText('The changed cells were saved.').waitFor()
  expect((await query('a')).attribute).toEqual({ Price: '7.00', Stage: 'listed' })
})
