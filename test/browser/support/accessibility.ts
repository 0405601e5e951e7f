import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** Loads axe into every page when it opens, which is faster than sending it to each page later. */
export const bringAxe = async (page: Page) => await page.addInitScript(axe.source)

/** Returns the violations that axe reports, for all rules or only for colour contrast. */
export async function problemsOf(page: Page, rules: 'all' | 'colours' = 'all'): Promise<string[]> {
  await page.waitForLoadState()
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(axe.source)
  const options = { resultTypes: ['violations'], ...(rules === 'all' ? {} : { runOnly: ['color-contrast'] }) }
  const found = (await page.evaluate(`axe.run(document, ${JSON.stringify(options)})`)) as {
    violations: { id: string; help: string; nodes: { html: string }[] }[]
  }
  return found.violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map((node) => node.html).join(' ')}`)
}
