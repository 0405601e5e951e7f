import type { Page } from 'playwright-core'

/**
 * Presses a button that leads to another page, and waits until that one has loaded. A click alone can end before the
 * browser leaves the page: what is looked at next would be the old page, or one that is about to go.
 */
export async function submit(page: Page, button: string): Promise<void> {
  await Promise.all([
    page.waitForEvent('load'),
    page.getByRole('button', { name: button, exact: true }).first().click(),
  ])
}
