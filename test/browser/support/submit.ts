import type { Page } from 'playwright-core'

/**
 * Presses a button that leads to another page, and waits until that page has loaded. A click alone may return while the
 * old page is still shown.
 */
export async function submit(page: Page, button: string): Promise<void> {
  await Promise.all([
    page.waitForEvent('load'),
    page.getByRole('button', { name: button, exact: true }).first().click(),
  ])
}
