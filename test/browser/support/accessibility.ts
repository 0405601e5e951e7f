import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** Loads axe into every document that this page opens, which is cheaper than sending it to each. */
export const bringAxe = async (page: Page) => await page.addInitScript(axe.source)

/** Returns the violations that axe reports. */
export async function problemsOf(page: Page): Promise<string[]> {
  await page.waitForLoadState()
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(axe.source)
  const found = (await page.evaluate("axe.run(document, { resultTypes: ['violations'] })")) as {
    violations: { id: string; help: string; nodes: { html: string }[] }[]
  }
  return found.violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map((node) => node.html).join(' ')}`)
}
