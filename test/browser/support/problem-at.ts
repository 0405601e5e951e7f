import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Returns the problem shown at a field. Finds it by `aria-describedby`, like a screen reader. */
export async function problemAt(page: Page, label: string): Promise<string> {
  const field = page.locator('input, textarea').and(page.getByLabel(new RegExp(`^${label}`)))
  // Wait for the response to the form.
  await field.and(page.locator('[aria-invalid]')).waitFor()
  expect(await field.getAttribute('aria-invalid')).toBe('true')
  const ids = (await field.getAttribute('aria-describedby'))?.split(' ') ?? []
  return await page.locator(`#${ids.at(-1)}`).innerText()
}
