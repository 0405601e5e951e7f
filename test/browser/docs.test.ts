import type { Request } from 'playwright-core'
import { expect, it } from 'vitest'
import { bringAxe, problemsOf } from './support/accessibility.ts'
import { newMerchant, serviceUrl, useBrowser } from './support/visitor.ts'

const open = useBrowser()

const maxTransferBytes = 1024 * 1024

/** One page per template. */
const examples = [
  '/docs/',
  '/docs/guides/first-garment',
  '/docs/guides/tags-and-measurements',
  '/docs/guides/receivers',
  '/docs/api/garments',
]

it('no documentation page has accessibility violations or is wider than a telephone', async () => {
  const page = await open()
  await bringAxe(page)
  for (const path of examples) {
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.goto(path)
    expect.soft(await problemsOf(page), path).toEqual([])
    await page.setViewportSize({ width: 360, height: 800 })
    expect.soft(await page.evaluate('document.documentElement.scrollWidth'), path).toBeLessThanOrEqual(360)
  }
})

it.each(examples)('%s with the search transfers less than 1 MB with an empty cache', async (path) => {
  const requests: Request[] = []
  const page = await open()
  page.on('requestfinished', (request) => void requests.push(request))
  await page.goto(path)
  await page.getByRole('combobox').fill('colour')
  await page.getByRole('option').first().waitFor()
  const sizes = await Promise.all(requests.map((request) => request.sizes()))
  const bytes = sizes.reduce((sum, size) => sum + size.responseBodySize + size.responseHeadersSize, 0)
  expect(bytes).toBeGreaterThan(50_000)
  expect(bytes).toBeLessThan(maxTransferBytes)
})

it('the documentation search leads to a page, also by keyboard', async () => {
  const page = await open()
  await page.goto('/docs/')
  await page.keyboard.press('/')
  await page.keyboard.type('ngrok')
  await page.getByRole('option').first().waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/docs/guides/testing-locally*')
  expect(await page.locator('article').textContent()).toContain('listen')
})

it('the results of the documentation search have no accessibility violations', async () => {
  const page = await open()
  await page.goto('/docs/')
  await page.keyboard.press('/')
  await page.keyboard.type('signature')
  await page.getByRole('option').first().waitFor()
  expect(await problemsOf(page)).toEqual([])
})

it('an address without a page leads to the start and the search', async () => {
  const page = await open()
  await bringAxe(page)
  const response = await page.goto('/docs/guides/no-such-page')
  expect([response?.status(), await problemsOf(page)]).toEqual([404, []])
  await page.getByRole('link', { name: 'Start of the documentation' }).click()
  await page.waitForURL('**/docs/')
  await page.goto('/docs/guides/no-such-page')
  await page.keyboard.press('/')
  await page.keyboard.type('signature')
  await page.getByRole('option').first().waitFor()
})

it('examples of the documentation are in the language that was chosen, and call the service itself', async () => {
  const page = await open()
  await page.goto('/docs/guides/first-garment')
  await page.getByRole('tab', { name: 'curl' }).focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  const python = page.getByRole('tabpanel', { name: 'Python' })
  await python.waitFor()
  await expect.poll(() => page.getByRole('tabpanel').count()).toBe(1)
  await expect.poll(() => python.innerText()).toContain('upload_and_wait')
  await expect.poll(() => page.locator('.code').first().innerText()).toContain(`export S=${serviceUrl}\n`)
  expect(await problemsOf(page)).toEqual([])
  await page.goto('/docs/guides/polling-or-webhooks')
  await expect.poll(() => page.getByRole('tabpanel').innerText()).toContain('put_webhook')
})

it('examples of the documentation can be read in every language without scripts', async () => {
  const page = await open({ javaScriptEnabled: false })
  await page.goto('/docs/guides/first-garment')
  for (const language of ['curl', 'JavaScript', 'Python', 'PHP', 'Go'])
    await page.getByText(language, { exact: true }).waitFor()
  for (const text of ['uploadAndWait', 'upload_and_wait', 'stream_context_create', 'http.NewRequest'])
    await expect.poll(() => page.getByText(text).first().isVisible()).toBe(true)
})

it('the documentation search reports when nothing is found', async () => {
  const page = await open()
  await page.goto('/docs/')
  await page.getByRole('combobox').fill('xylophone')
  await page.getByText('Nothing found').waitFor()
  await expect.poll(() => page.getByRole('option').count()).toBe(1)
})

it('the request form of the documentation sends a request with the key that was entered and shows the answer', async () => {
  const { apiKey, domain } = await newMerchant('Docs')
  const page = await open()
  await page.goto('/docs/api/garments#queryGarment')
  const section = page.locator('section').filter({ has: page.locator('#queryGarment') })
  await section.getByText('Send a request').click()
  await section.getByLabel('API-KEY').fill(apiKey)
  await section.getByLabel('DOMAIN').fill(domain)
  await expect
    .poll(() => section.locator('.code code').filter({ hasText: 'curl ' }).textContent())
    .toContain(`API-KEY: ${apiKey}`)
  await section.getByLabel('uuid').fill('no such garment')
  await section.getByRole('button', { name: 'Send' }).click()
  await section.getByText('"message": "Garment not found"').waitFor()
  const answer = await section.getByRole('status').innerText()
  expect(answer).toMatch(/^404 in \d+ ms/)
  expect(answer).toContain('ratelimit-remaining: ')
  expect(Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'))).toBeLessThanOrEqual(0)
  expect(await problemsOf(page)).toEqual([])
  await page.goto('/docs/api/webhook')
  await expect.poll(() => page.getByLabel('API-KEY').first().inputValue()).toBe(apiKey)
})

it('documentation pages allow no inline scripts or styles, no frames, and no other origins', async () => {
  const policy = (await fetch(`${serviceUrl}/docs/`)).headers.get('content-security-policy') ?? ''
  expect(policy.split('; ')).toEqual(
    expect.arrayContaining(["default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'"]),
  )
  expect(policy).not.toMatch(/unsafe|https?:|\*/)
})
