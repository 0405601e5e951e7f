import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { problemsOf } from '../support/accessibility.ts'
import { doubtfulSeed, publishGarment } from '../support/host.ts'
import { newMerchant, useBrowser } from '../support/visitor.ts'

const open = useBrowser()

async function newGarments(name: string, count: number) {
  const merchant = await newMerchant(name)
  const query = async (uuid: string) =>
    (await merchant.tenant.expectSuccess('GET', `/garment-tagging/query?uuid=${uuid}`)) as {
      status: string
      tag: Record<string, string>
      corrected?: string[]
    }
  for (let seed = 1; seed <= count; seed++)
    await merchant.tenant.expectSuccess('POST', '/garment-tagging/upload', {
      uuid: `r${seed}`,
      image_url: await publishGarment(doubtfulSeed, String(seed)),
    })
  for (let seed = 1; seed <= count; seed++)
    await expect.poll(async () => (await query(`r${seed}`)).status).toBe('complete')
  return { ...merchant, query }
}

const uuidOf = async (page: Page) => await page.locator('#review').getAttribute('data-uuid')

/** Presses a key and waits until another garment is shown. */
async function pressForNext(page: Page, key: string): Promise<void> {
  const before = await uuidOf(page)
  await page.keyboard.press(key)
  await expect.poll(async () => await uuidOf(page)).not.toBe(before)
}

it('garments are reviewed by keyboard, the next one before the service has answered', async () => {
  const { credentials, query } = await newGarments('Review keys', 3)
  const page = await open({ as: credentials })
  await page.goto('/dashboard/review')
  await page.getByRole('button', { name: 'Start reviewing' }).focus()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/dashboard/review?uuid=*')
  await page.waitForLoadState('networkidle')
  expect(await problemsOf(page)).toEqual([])

  const first = await uuidOf(page)
  const group = page.locator('fieldset').first()
  const name = (await group.locator('legend').innerText()).split(/\s+(High|Medium|Low)/)[0] ?? ''
  const values = await group
    .locator('input')
    .evaluateAll((inputs) => inputs.map((input) => input.getAttribute('value')))
  // Chooses the first alternative, or the value itself if there is none.
  const chosen = values[1] === undefined ? 1 : 2
  await page.keyboard.press(String(chosen))
  const saved = page.waitForResponse((response) => response.request().method() === 'POST' && response.status() === 204)
  const { promise: isShown, resolve: showNext } = Promise.withResolvers<void>()
  await page.route('**/*', async (route) => {
    if (route.request().method() === 'POST') await isShown
    await route.continue()
  })
  await pressForNext(page, 'Enter')
  showNext()
  await saved
  const result = await query(first ?? '')
  expect([result.tag[name], result.tag[`${name} Confidence`]]).toEqual([values[chosen - 1], 'High'])
  expect(['Item Type', 'Colour', 'Pattern'].map((each) => result.tag[`${each} Confidence`])).toEqual([
    'High',
    'High',
    'High',
  ])

  // Goes back to the previous garment and forward again.
  const second = await uuidOf(page)
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => uuidOf(page)).toBe(first)
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => uuidOf(page)).toBe(second)

  // Arrow keys move between attributes and change nothing.
  await page.keyboard.press('ArrowDown')
  await expect
    .poll(() =>
      page.evaluate(`document.activeElement.closest('fieldset') === document.querySelectorAll('fieldset')[1]`),
    )
    .toBe(true)
  await page.waitForLoadState('networkidle')
  await pressForNext(page, 'Enter')
  expect(new Set([first, second, await uuidOf(page)]).size).toBe(3)
  await page.keyboard.press('Enter')
  await page.locator('#review').getByText('Nothing to review').waitFor()
})

it('“Confirm all values” stays so when the answer was lost and the browser sends the form again', async () => {
  const { credentials } = await newGarments('Review again', 1)
  const page = await open({ as: credentials })
  await page.goto('/dashboard/review')
  await page.getByRole('button', { name: 'Start reviewing' }).click()
  await page.waitForURL('**/dashboard/review?uuid=*')
  await page.route('**/dashboard/review?uuid=*', async (route) => {
    const isScript = route.request().headers()['accept'] === 'application/json'
    await (isScript ? route.abort() : route.continue())
  })
  const again = page.waitForRequest((request) => request.isNavigationRequest() && request.method() === 'POST')
  await page.getByRole('button', { name: 'Confirm all values' }).click()
  expect((await again).postData()).toContain('confirm=all')
  open.forgetReports()
})

it('the arrow keys move the cursor within the numbers of a line, and stay at the garment', async () => {
  const { credentials } = await newGarments('Review numbers', 2)
  const page = await open({ as: credentials })
  await page.goto('/dashboard/review')
  await page.getByRole('button', { name: 'Start reviewing' }).click()
  await page.waitForURL('**/dashboard/review?uuid=*')
  const first = await uuidOf(page)
  await page.getByText('Correct the measuring lines').click()
  await page.getByLabel('Chest line').press('ArrowRight')
  await page.waitForLoadState('networkidle')
  await expect.poll(() => uuidOf(page)).toBe(first)
})

it('garments are reviewed with JavaScript disabled, and in two sessions at once', async () => {
  const { credentials, query } = await newGarments('Review forms', 2)
  const page = await open({ as: credentials, javaScriptEnabled: false })
  const other = await open({ javaScriptEnabled: false })
  await other.goto('/dashboard/sign-in?next=/dashboard/review')
  await other.getByLabel('Email').fill(credentials.email)
  await other.getByLabel('Password').fill(credentials.password)
  await other.getByRole('button', { name: 'Sign in' }).click()
  await page.goto('/dashboard/review')
  for (const each of [page, other]) await each.getByRole('button', { name: 'Start reviewing' }).click()
  const uuids = [await uuidOf(page), await uuidOf(other)]
  expect(uuids.toSorted()).toEqual(['r1', 'r2'])
  await page.getByLabel('Another value for Colour').selectOption('Lavender')
  await page.getByRole('button', { name: 'Confirm', exact: true }).click()
  // The other garment is claimed, so no garment is left.
  await page.getByRole('button', { name: 'Review the skipped ones' }).waitFor()
  expect(await query(uuids[0] ?? '')).toMatchObject({ tag: { Colour: 'Lavender' }, corrected: ['Colour'] })
  await page.goto(`/dashboard/review?uuid=${uuids[1]}`)
  await page.getByText('This garment is no longer reserved for you').waitFor()
})
