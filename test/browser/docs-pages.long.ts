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

const queries = [
  { query: 'Retry-After', path: '/docs/', text: 'Retry-After' },
  { query: 'signature', path: '/docs/guides/receivers', text: 'signature' },
  { query: 'idempotency', path: '/docs/api/', text: 'idempotent' },
  { query: 'pagination', path: '/docs/api/', text: 'next_cursor' },
  { query: 'status codes', path: '/docs/guides/errors', text: 'status' },
  { query: 'sandbox', path: '/docs/guides/testing-locally', text: 'machine' },
  { query: 'ngrok', path: '/docs/guides/testing-locally', text: 'listen' },
  { query: 'hmac', path: '/docs/guides/receivers', text: 'HMAC' },
  { query: 'retry', path: '/docs/guides/polling-or-webhooks', text: 'Attempts' },
  { query: 'sdk', path: '/docs/client', text: 'npm install' },
  { query: 'inseam', path: '/docs/guides/tags-and-measurements', text: 'Inseam' },
]

it('the documentation search finds what is looked for, also by keyboard', async () => {
  const page = await open()
  for (const { query, path, text } of queries) {
    await page.goto('/docs/')
    await page.keyboard.press('/')
    await page.keyboard.type(query)
    const first = page.getByRole('option').first()
    await first.waitFor()
    await page.keyboard.press('ArrowDown')
    const target = (await first.getAttribute('href')) ?? ''
    await page.keyboard.press('Enter')
    await page.waitForURL(`**${target}`)
    expect([query, target]).toEqual([query, expect.stringMatching(`^${path}`)])
    expect([query, await page.locator('article').textContent()]).toEqual([query, expect.stringContaining(text)])
  }
})
