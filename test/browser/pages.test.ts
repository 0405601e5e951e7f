import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { bringAxe, problemsOf } from './support/accessibility.ts'
import { preparePages, type Visitor } from './support/dashboard-pages.ts'
import { useBrowser } from './support/visitor.ts'

const open = useBrowser()
const maxPageBytes = 60 * 1024
const maxScriptBytes = 30_000

let visitors: readonly Visitor[]

beforeAll(async () => {
  visitors = await preparePages(open)
})

const scriptsOfPage =
  "performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => name.endsWith('.js'))"

/** Counts the bytes of each page, without images and with an empty cache. */
async function startWeighing(page: Page) {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.setCacheDisabled', { cacheDisabled: true })
  let bytes = 0
  /** The size of each script, also for pages for which the browser still has it from another page. */
  const scriptBytes = new Map<string, number>()
  page.on('response', async (response) => {
    const type = response.request().resourceType()
    if (type === 'image') return
    // Responses that arrive while the page closes have no sizes, and no longer count.
    const sizes = await response
      .request()
      .sizes()
      .catch(() => null)
    if (sizes === null) return
    bytes += sizes.responseBodySize + sizes.responseHeadersSize
    if (type === 'script' && sizes.responseBodySize > 0) scriptBytes.set(response.url(), sizes.responseBodySize)
  })
  return {
    reset: () => void (bytes = 0),
    async read() {
      await page.waitForLoadState('networkidle')
      const scripts: string[] = await page.evaluate(scriptsOfPage)
      return { bytes, scriptBytes: scripts.reduce((sum, url) => sum + (scriptBytes.get(url) ?? Infinity), 0) }
    },
  }
}

it.each(['a visitor', 'a newcomer', 'a merchant'])(
  'every page for %s is accessible, small, and no wider than a telephone',
  async (name) => {
    const visitor = visitors.find((each) => each.name === name)
    const page = await open(visitor?.credentials === undefined ? {} : { as: visitor.credentials })
    await bringAxe(page)
    const scales = await startWeighing(page)
    expect(visitor?.paths).not.toEqual([])
    for (const path of visitor?.paths ?? []) {
      scales.reset()
      await page.setViewportSize({ width: 1280, height: 800 })
      await page.goto(path)
      expect.soft(await problemsOf(page), path).toEqual([])
      const { bytes, scriptBytes } = await scales.read()
      expect.soft(bytes, path).toBeGreaterThan(1000)
      expect.soft(bytes, path).toBeLessThanOrEqual(maxPageBytes)
      expect.soft(scriptBytes, path).toBeGreaterThan(500)
      expect.soft(scriptBytes, path).toBeLessThanOrEqual(maxScriptBytes)
      await page.setViewportSize({ width: 360, height: 800 })
      expect.soft(await page.evaluate('document.documentElement.scrollWidth'), path).toBeLessThanOrEqual(360)
    }
  },
)
