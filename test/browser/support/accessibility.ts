import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** Has every page that is opened bring axe along, which takes less than to send it to each. */
export const bringAxe = async (page: Page) => await page.addInitScript(axe.source)

/** The violations that axe reports, by all its rules or only by those on colour contrast. */
export async function problemsOf(page: Page, rules: 'all' | 'colours' = 'all'): Promise<string[]> {
  await page.waitForLoadState()
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(axe.source)
  const options = { resultTypes: ['violations'], ...(rules === 'all' ? {} : { runOnly: ['color-contrast'] }) }
  const found = (await page.evaluate(`axe.run(document, ${JSON.stringify(options)})`)) as {
    violations: { id: string; help: string; nodes: { html: string }[] }[]
  }
  return found.violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map((node) => node.html).join(' ')}`)
}
