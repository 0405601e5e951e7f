import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { problemsOf } from '../support/accessibility.ts'
import { doubtfulSeed, publishGarment } from '../support/host.ts'
import { newMerchant, useBrowser } from '../support/visitor.ts'

const open = useBrowser()

type Line = { from: [number, number]; to: [number, number] }
type Answer = {
  status: string
  annotated_img: string
  measurements: Record<string, number>
  lines: Record<string, Line>
  corrected?: string[]
}

function chestOf({ lines, measurements }: Answer): Line & { cm: number } {
  const [line, cm] = [lines['Chest'], measurements['Chest (cm)']]
  if (line === undefined || cm === undefined) throw new Error('The chest was not measured')
  return { ...line, cm }
}

async function newGarment(name: string, seed?: number) {
  const merchant = await newMerchant(name)
  await merchant.tenant.expectSuccess('POST', '/garment-tagging/upload', {
    uuid: 'l',
    image_url: await publishGarment(seed),
  })
  const query = async () => (await merchant.tenant.expectSuccess('GET', '/garment-tagging/query?uuid=l')) as Answer
  await expect.poll(async () => (await query()).status).toBe('complete')
  return { ...merchant, query, before: await query() }
}

const handle = (page: Page, name: string) => page.getByRole('slider', { name })

async function middleOf(locator: Locator): Promise<[number, number]> {
  const box = await locator.boundingBox()
  if (box === null) throw new Error('It is not shown')
  return [box.x + box.width / 2, box.y + box.height / 2]
}

/** Saves a form whose page has the same URL afterwards. */
async function save(page: Page, press: () => Promise<void>): Promise<void> {
  const saved = page.waitForResponse((response) => response.request().method() === 'POST')
  await press()
  expect((await saved).status()).toBe(303)
}

/** Returns the picture's pixels per page pixel. */
const zoom = async (page: Page) =>
  await page.evaluate<number>("1 / document.querySelector('.overlay svg').getScreenCTM().a")

it('an end of a line is dragged by mouse, and the length follows at once', async () => {
  const { credentials, query, before } = await newGarment('Mouse')
  const page = await open({ as: credentials })
  await page.goto('/dashboard/garment?uuid=l')
  expect(await problemsOf(page)).toEqual([])
  await expect.poll(() => handle(page, 'Chest, second end').isVisible()).toBe(false)
  await page.getByLabel('Show measurements').check()
  const [x, y] = await middleOf(handle(page, 'Chest, second end'))
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x - 30, y, { steps: 3 })
  // The page updates the line and its label while it is dragged.
  const label = page.locator('.drawn text', { hasText: /^Chest / })
  const whileDragged = await label.textContent()
  await page.mouse.up()
  const { from, to, cm: measured } = chestOf(before)
  const moved = to[0] - 30 * (await zoom(page))
  const cm = (measured * (moved - from[0])) / (to[0] - from[0])
  await page.getByText('Correct the measuring lines').click()
  const shown = await page.getByRole('listitem').filter({ hasText: 'Chest' }).getByRole('status').innerText()
  expect(Math.abs(Number.parseFloat(shown) - cm)).toBeLessThan(1)
  expect(whileDragged).toBe(`Chest ${shown}`)
  await expect.poll(() => label.textContent()).toBe(whileDragged)
  const source = await page.getByRole('img', { name: /^Picture of the garment/ }).getAttribute('src')
  expect(source).toMatch(/^\/garment-tagging\/copy\//)
  // Labels are painted after all lines, so that no line crosses them.
  await expect
    .poll(() => page.evaluate("document.querySelector('.drawn').lastElementChild.firstElementChild.tagName"))
    .toBe('text')

  await save(page, () => page.getByRole('button', { name: 'Save', exact: true }).click())
  const after = await query()
  expect(after.corrected).toEqual(['Chest (cm)'])
  expect(Math.abs(chestOf(after).to[0] - moved)).toBeLessThan(3)
  expect(`${chestOf(after).cm.toFixed(1)} cm`).toBe(shown)
})

it('labels lie inside the picture and off the handles, as the server and as the script place them', async () => {
  const { credentials } = await newGarment('Labels')
  const page = await open({ as: credentials })
  await page.goto('/dashboard/garment?uuid=l')
  const misplaced = async () =>
    await page.evaluate<string[]>(`(() => {
      const stage = document.querySelector('.drawn').getBoundingClientRect()
      const shown = (selector) => [...document.querySelectorAll(selector)].filter((part) => !part.closest('[display="none"]'))
      const handles = shown('.overlay .end').map((handle) => handle.getBoundingClientRect())
      return shown('.drawn text').flatMap((label) => {
        const box = label.getBoundingClientRect()
        const sticksOut = box.left < stage.left || box.right > stage.right || box.top < stage.top || box.bottom > stage.bottom
        const isCovered = handles.some((handle) =>
          handle.left < box.right && box.left < handle.right && handle.top < box.bottom && box.top < handle.bottom)
        return [...(sticksOut ? [label.textContent + ' sticks out'] : []), ...(isCovered ? [label.textContent + ' is covered'] : [])]
      })
    })()`)
  await page.getByLabel('Show measurements').check()
  await handle(page, 'Chest, first end').waitFor()
  await expect.poll(misplaced).toEqual([])
  await page.getByText('Correct the measuring lines').click()
  const field = page.getByLabel('Chest line')
  const label = page.locator('.drawn text', { hasText: /^Chest / })
  // Lines at each edge, across a corner, and shorter than their label.
  for (const line of [
    '2, 100, 2, 700',
    '598, 100, 598, 700',
    '100, 1, 500, 1',
    '560, 780, 590, 798',
    '300, 400, 320, 400',
  ]) {
    const before = await label.getAttribute('x')
    await field.fill(line)
    await field.press('Tab')
    await expect.poll(() => label.getAttribute('x'), { message: line }).not.toBe(before)
    await expect.poll(misplaced, { message: line }).toEqual([])
  }
  await save(page, () => page.getByRole('button', { name: 'Save', exact: true }).click())
  await expect.poll(() => field.inputValue()).toBe('300, 400, 320, 400')
  await expect.poll(misplaced).toEqual([])
})

it('a line that was moved, or is about to be, stays when the page updates itself', async () => {
  const { credentials } = await newGarment('Update')
  const page = await open({ as: credentials })
  await page.goto('/dashboard/garment?uuid=l')
  const update = async () =>
    await page.evaluate(`import('/assets/scripts/live-section.js').then((script) => script.reloadSection())`)
  await page.getByLabel('Show measurements').check()
  await handle(page, 'Chest, first end').focus()
  await update()
  await expect.poll(() => page.evaluate(`document.activeElement.ariaLabel`)).toBe('Chest, first end')
  await page.keyboard.press('ArrowLeft')
  const moved = await page.getByLabel('Chest line').inputValue()
  await page.getByRole('button', { name: 'Save', exact: true }).focus()
  await update()
  await expect.poll(() => page.getByLabel('Chest line').inputValue()).toBe(moved)
})

it('a line is drawn by touch in place of one that was taken out', async () => {
  const { credentials, query } = await newGarment('Touch')
  const page = await open({ as: credentials, hasTouch: true, viewport: { width: 400, height: 800 } })
  await page.goto('/dashboard/garment?uuid=l')
  // Chromium ignores a tap soon after a drag, so the summary is clicked and only the line is drawn by touch.
  await page.getByText('Correct the measuring lines').click()
  await page.getByRole('button', { name: 'Take out Chest' }).click()
  await page.getByRole('button', { name: 'Draw Chest' }).click()
  const picture = await page.locator('.overlay svg').boundingBox()
  if (picture === null) throw new Error('There is no picture')
  const at = (share: number) => ({ x: picture.x + picture.width * share, y: picture.y + picture.height * 0.4 })
  const touch = await page.context().newCDPSession(page)
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [at(0.25)] })
  await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [at(0.5)] })
  await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [at(0.75)] })
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await handle(page, 'Chest, second end').waitFor()
  await save(page, () => page.getByRole('button', { name: 'Save', exact: true }).click())
  // The picture has 600 x 800 pixels.
  const { from, to } = chestOf(await query())
  for (const [number, expected] of [
    [from[0], 150],
    [to[0], 450],
    [from[1], 320],
    [to[1], 320],
  ] as const)
    expect(Math.abs(number - expected), JSON.stringify({ from, to })).toBeLessThan(4)
})

it('a line is moved by keyboard in the review, which stays where it is, and the picture is drawn again', async () => {
  const { credentials, query, before } = await newGarment('Keys', doubtfulSeed)
  const page = await open({ as: credentials })
  await page.goto('/dashboard/review')
  await page.getByRole('button', { name: 'Start reviewing' }).click()
  await page.waitForURL('**/dashboard/review?uuid=l')
  await page.getByLabel('Show measurements').check()
  await handle(page, 'Chest, first end').focus()
  await page.keyboard.press('Shift+ArrowLeft')
  await page.keyboard.press('Enter')
  await page.getByText('Saved').waitFor()
  await expect.poll(() => page.url()).toContain('/dashboard/review?uuid=l')
  const { from, to } = chestOf(before)
  expect((await query()).lines['Chest']).toEqual({ from: [from[0] - 20, from[1]], to })
  await expect.poll(async () => (await query()).annotated_img).not.toBe(before.annotated_img)
})

it('lines are given as numbers without scripts, and a wrong one is named', async () => {
  const { credentials, query } = await newGarment('Numbers')
  const page = await open({ as: credentials, javaScriptEnabled: false })
  await page.goto('/dashboard/garment?uuid=l')
  await page.getByText('Correct the measuring lines').click()
  await page.getByLabel('Chest line').fill('10, 20, 9000, 20')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Must lie within the picture, which is 600 x 800 pixels.').first().waitFor()
  await page.getByLabel('Chest line').fill('100, 320, 500, 320')
  await page.getByLabel('Hem line').fill('')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.waitForURL('**/dashboard/garment?uuid=l&done=saved')
  const { lines, measurements } = await query()
  expect(lines['Chest']).toEqual({ from: [100, 320], to: [500, 320] })
  expect(Object.keys(measurements)).not.toContain('Hem (cm)')
})
