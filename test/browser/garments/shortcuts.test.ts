import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { problemsOf } from '../support/accessibility.ts'
import { doubtfulSeed, publishGarment } from '../support/host.ts'
import { newMerchant, useBrowser } from '../support/visitor.ts'

const open = useBrowser()

async function newGarments(name: string, uuids: readonly string[]) {
  const { credentials, tenant } = await newMerchant(name)
  const query = async (uuid: string) => (await tenant.call('GET', `/garment-tagging/query?uuid=${uuid}`)).body.data
  for (const uuid of uuids) {
    await tenant.expectSuccess('POST', '/garment-tagging/upload', {
      uuid,
      image_url: await publishGarment(doubtfulSeed),
    })
    await expect.poll(async () => (await query(uuid)).status).toBe('complete')
  }
  return credentials
}

const help = (page: Page) => page.getByRole('dialog', { name: 'Keyboard shortcuts' })
const focused = async (page: Page) => String(await page.evaluate('document.activeElement.textContent')).slice(-2)

it('keys lead to the search, through the list and from garment to garment, and not while typing', async () => {
  const page = await open({ as: await newGarments('Shortcuts', ['s1', 's2', 's3']) })
  await page.goto('/dashboard/garments?view=rows')
  await page.goto('/dashboard/garments?status=complete')
  await page.keyboard.press('/')
  await page.keyboard.type('s/?jk')
  await expect.poll(() => page.getByLabel('Search garments').inputValue()).toBe('s/?jk')
  await expect.poll(() => help(page).isVisible()).toBe(false)

  await page.locator('main').focus()
  const moves = []
  for (const key of ['j', 'j', 'j', 'j', 'k']) {
    await page.keyboard.press(key)
    moves.push(await focused(page))
  }
  expect(moves).toEqual(['s3', 's2', 's1', 's1', 's2'])
  await page.keyboard.press('Control+j')
  await expect.poll(() => focused(page)).toBe('s2')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/dashboard/garment?uuid=s2&status=complete')
  for (const [key, address] of [
    ['j', '**/dashboard/garment?uuid=s1&status=complete'],
    ['k', '**/dashboard/garment?uuid=s2&status=complete'],
    ['u', '**/dashboard/garments?status=complete'],
  ] as const) {
    await page.keyboard.press(key)
    await page.waitForURL(address)
    await page.waitForLoadState()
  }
})

it('the help shows the keys of its page, and letters can be switched off', async () => {
  const page = await open({ as: await newGarments('Shortcut help', ['h1', 'h2']) })
  await page.goto('/dashboard/review')
  await page.getByRole('button', { name: 'Start reviewing' }).click()
  await page.waitForURL('**/dashboard/review?uuid=*')
  await page.waitForLoadState('networkidle')
  const reviewed = await page.locator('#review').getAttribute('data-uuid')
  await page.keyboard.press('?')
  await help(page).getByText('In the review').waitFor()
  expect(await problemsOf(page)).toEqual([])
  // Keys do nothing in the review while the help is open.
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Escape')
  await expect.poll(() => help(page).isVisible()).toBe(false)
  await expect.poll(() => page.locator('#review').getAttribute('data-uuid')).toBe(reviewed)

  await page.goto('/dashboard/garments')
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click()
  await help(page).getByText('In the list of garments').waitFor()
  await help(page).getByLabel('Letters and signs').uncheck()
  await help(page).getByRole('button', { name: 'Close' }).click()
  await page.goto('/dashboard/garment?uuid=h1')
  await page.keyboard.press('?')
  await expect.poll(() => help(page).isVisible()).toBe(false)
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click()
  await help(page).getByLabel('Letters and signs').check()
  await page.keyboard.press('Escape')
  await page.keyboard.press('?')
  await help(page).getByText("On a garment's page").waitFor()
})

it('no key and no help is offered with JavaScript disabled', async () => {
  const { credentials } = await newMerchant('Shortcuts without scripts')
  const page = await open({ as: credentials, javaScriptEnabled: false })
  await page.goto('/dashboard/garments')
  await expect.poll(() => page.locator('#show-shortcuts').count()).toBe(1)
  await expect.poll(() => page.locator('#show-shortcuts').isVisible()).toBe(false)
})
