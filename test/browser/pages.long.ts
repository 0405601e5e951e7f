import { beforeAll, describe, expect, it } from 'vitest'
import { bringAxe, problemsOf } from './support/accessibility.ts'
import { preparePages, type Visitor } from './support/dashboard-pages.ts'
import { submit } from './support/submit.ts'
import { useBrowser } from './support/visitor.ts'

const open = useBrowser()

let visitors: readonly Visitor[]

beforeAll(async () => {
  visitors = await preparePages(open)
})

const asVisitor = (name: string) => {
  const credentials = visitors.find((each) => each.name === name)?.credentials
  return credentials === undefined ? {} : { as: credentials }
}

describe.each([
  { colorScheme: 'light', width: 1280 },
  { colorScheme: 'light', width: 360 },
  { colorScheme: 'dark', width: 1280 },
] as const)('in $colorScheme at $width pixels', ({ colorScheme, width }) => {
  it.each(['a visitor', 'a newcomer', 'a merchant'])(
    'no page for %s has accessibility violations or is wider than the window, in any state',
    async (name) => {
      const page = await open({ ...asVisitor(name), colorScheme, viewport: { width, height: 800 } })
      await bringAxe(page)
      const visitor = visitors.find((each) => each.name === name)
      for (const path of [...(visitor?.paths ?? []), ...(visitor?.variants ?? [])]) {
        await page.goto(path)
        expect.soft(await problemsOf(page), path).toEqual([])
        expect.soft(await page.evaluate('document.documentElement.scrollWidth'), path).toBeLessThanOrEqual(width)
      }
    },
  )
})

it('forms with problems, the new key and the test result have no accessibility violations', async () => {
  const page = await open(asVisitor('a merchant'))
  const press = async (path: string, button: string) => {
    await page.goto(path)
    await submit(page, button)
    expect([path, await problemsOf(page)]).toEqual([path, []])
  }
  await press('/dashboard/upload', 'Upload and tag')
  await press('/dashboard/keys', 'Create key')
  await press('/dashboard/tenant', 'Save studio')
  await page.goto('/dashboard/tenant')
  await page.getByLabel('Days to keep').fill('0')
  await submit(page, 'Save period')
  expect(await problemsOf(page)).toEqual([])
  await press('/dashboard/tenant', 'Delete the shop')
  await press('/dashboard/webhook/endpoint?id=first', 'Send a test event')
  await page.goto('/dashboard/keys')
  await page.getByLabel('Name').fill('another')
  await submit(page, 'Create key')
  await page.getByRole('heading', { name: 'Your new API key' }).waitFor()
  expect(await problemsOf(page)).toEqual([])
})
