import { expect, it } from 'vitest'
import { bringAxe, problemsOf } from './support/accessibility.ts'
import { serviceUrl, useBrowser } from './support/visitor.ts'

const open = useBrowser()

/** Returns the paths of all documentation pages, from the search index. */
async function allPages(): Promise<string[]> {
  const entries = (await (await fetch(`${serviceUrl}/docs/search.json`)).json()) as { id: string }[]
  return [...new Set(entries.map(({ id }) => id.split('#')[0] ?? id))]
}

it.each([
  { colorScheme: 'light', width: 1280 },
  { colorScheme: 'dark', width: 360 },
] as const)(
  'every documentation page is accessible in $colorScheme at $width pixels',
  async ({ colorScheme, width }) => {
    const page = await open({ colorScheme, viewport: { width, height: 800 } })
    await bringAxe(page)
    const paths = await allPages()
    expect(paths.length).toBeGreaterThan(20)
    for (const path of paths) {
      const response = await page.goto(path)
      expect(response?.status(), path).toBe(200)
      expect.soft(await problemsOf(page), path).toEqual([])
      expect.soft(await page.evaluate('document.documentElement.scrollWidth'), path).toBeLessThanOrEqual(width)
    }
  },
)
