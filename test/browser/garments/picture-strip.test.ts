import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { problemsOf } from '../support/accessibility.ts'
import { publishGarment } from '../support/host.ts'
import { newMerchant, useBrowser } from '../support/visitor.ts'

const open = useBrowser()

/** Creates a garment with three pictures and opens its page. */
async function openGarment(name: string, options: Parameters<typeof open>[0] = {}) {
  const { credentials, client } = await newMerchant(name)
  const urls = [await publishGarment(7), await publishGarment(8), await publishGarment(9)]
  await client.upload({ uuid: 'g', images: urls.map((url) => ({ url })) })
  const query = async () => await client.query('g')
  await expect.poll(async () => (await query()).status).toBe('complete')
  const page = await open({ as: credentials, ...options })
  await page.goto('/dashboard/garment?uuid=g')
  const ids = (await query()).images.map(({ id }) => id)
  /** Returns the order in which the garment has its pictures, such as `2 0 1`. */
  const order = async () => (await query()).images.map(({ id }) => ids.indexOf(id)).join(' ')
  return { page, query, order }
}

const thumbnail = (page: Page, place: number) => page.locator('#picture-strip > li > a').nth(place - 1)

async function middleOf(page: Page, place: number) {
  const box = await thumbnail(page, place).boundingBox()
  if (box === null) throw new Error('It is not shown')
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

it('pictures are moved by mouse and by keyboard, and the page stays with its unsaved fields', async () => {
  const { page, order } = await openGarment('Strip')
  await page.getByLabel('Price optional', { exact: true }).fill('12')
  await thumbnail(page, 3).hover()
  const to = await middleOf(page, 1)
  await page.mouse.down()
  await page.mouse.move(to.x + 1, to.y, { steps: 4 })
  await page.mouse.up()
  await page.locator('.toast').getByText('Saved. The garment is described again.').waitFor()
  await expect.poll(order).toBe('2 0 1')
  await thumbnail(page, 1).press('ArrowRight')
  await expect.poll(order).toBe('0 2 1')
  await page.locator('#picture-strip > li:nth-child(2) > a:focus').waitFor()
  expect(await page.getByLabel('Price optional', { exact: true }).inputValue()).toBe('12')
  expect(await problemsOf(page)).toEqual([])
})

it('pictures are moved by touch after a long press, while a swipe scrolls', async () => {
  const phone = { hasTouch: true, isMobile: true, viewport: { width: 360, height: 740 } }
  const { page, order } = await openGarment('Touch', phone)
  const session = await page.context().newCDPSession(page)
  const touch = async (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: { x: number; y: number }[]) =>
    await session.send('Input.dispatchTouchEvent', { type, touchPoints })
  await thumbnail(page, 1).scrollIntoViewIfNeeded()
  const [first, last] = [await middleOf(page, 1), await middleOf(page, 3)]
  await touch('touchStart', first)
  await page.locator('#picture-strip > .picked-up').waitFor()
  await touch('touchMove', { ...first, x: first.x + 20 })
  await touch('touchMove', last)
  await touch('touchEnd')
  await expect.poll(order).toBe('1 2 0')

  await touch('touchStart', first)
  for (const by of [40, 80, 120]) await touch('touchMove', { x: first.x, y: first.y - by })
  await touch('touchEnd')
  await expect.poll(() => page.evaluate<number>('scrollY')).toBeGreaterThan(0)
  expect(await order()).toBe('1 2 0')
})

it("a picture's menu says what it shows, rotates it with its thumbnail, and closes by Escape", async () => {
  const { page, query } = await openGarment('Menu')
  const menu = page.locator('#picture-strip details').first()
  await menu.locator('summary').click()
  expect(await problemsOf(page)).toEqual([])
  await menu.getByRole('button', { name: 'Rotate right' }).click()
  await expect.poll(async () => (await query()).images[0]).toMatchObject({ rotated: 90, width: 800, height: 600 })
  await expect
    .poll(() => page.evaluate<number[]>("[...document.querySelectorAll('.stage img')].map((i) => i.naturalWidth)"))
    .toEqual([800])
  await menu.getByLabel('Shows').selectOption('Detail')
  await expect.poll(async () => (await query()).images[0]?.kind).toBe('detail')
  await page.locator('#live:not([data-live])').waitFor()
  await menu.getByText('Labels, details and flaws stay photographs.').waitFor()
  await page.keyboard.press('Escape')
  await page.locator('#picture-strip details[open]').waitFor({ state: 'detached' })
})
