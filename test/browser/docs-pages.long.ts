import { expect, it } from 'vitest'
import { bringAxe, problemsOf } from './support/accessibility.ts'
import { serviceUrl, useBrowser } from './support/visitor.ts'

const open = useBrowser()

/** Lists all pages of the documentation from its search index. */
async function allPages(): Promise<string[]> {
  const entries = (await (await fetch(`${serviceUrl}/docs/search.json`)).json()) as { id: string }[]
  return [...new Set(entries.map(({ id }) => id.split('#')[0] ?? id))]
}

it('every documentation page can be reached and has no accessibility violations', async () => {
  const page = await open({ viewport: { width: 1280, height: 800 } })
  await bringAxe(page)
  const paths = await allPages()
  expect(paths.length).toBeGreaterThan(20)
  for (const path of paths) {
    const response = await page.goto(path)
    expect([path, response?.status(), await problemsOf(page)]).toEqual([path, 200, []])
  }
})
