import { expect, it } from 'vitest'
import { newGarments } from '../support/host.ts'
import { useBrowser } from '../support/visitor.ts'
import { testEdits } from './edit-garments.ts'

const open = useBrowser()

testEdits(true)

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
