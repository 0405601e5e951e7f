import { beforeAll, expect, it } from 'vitest'
import { hostOrigin, publish, receiver } from './support/host.ts'
import { problemAt } from './support/problem-at.ts'
import { newMerchant, useBrowser, type Merchant } from './support/visitor.ts'

const open = useBrowser()
let merchant: Merchant

beforeAll(async () => {
  merchant = await newMerchant('Forms')
})

it('the upload form shows problems at their fields, including a uuid used for other content', async () => {
  const page = await open({ as: merchant.credentials })
  const address = page.getByLabel('Image URL')
  await page.goto('/dashboard/upload')
  await address.fill('ftp://example.com/x.jpg')
  await page.getByLabel('Number').fill('u'.repeat(129))
  await page.getByLabel('Brand').fill('b'.repeat(513))
  await page.getByRole('button', { name: 'Upload and tag' }).click()
  expect(await problemAt(page, 'Number')).toBe('Must be at most 128 characters.')
  expect(await problemAt(page, 'Brand')).toBe('Must be at most 512 characters.')
  await page.getByLabel('Number').fill('form-garment')
  await page.getByLabel('Brand').fill('')
  await page.getByLabel('Anything else').fill('no colon here\nSeason: Summer\nSeason: Winter\nBrand: Twice')
  await page.getByRole('button', { name: 'Upload and tag' }).click()
  expect(await problemAt(page, 'Anything else')).toBe(
    'Line 1 must read "Name: value". Season: is given twice. Brand has a field of its own.',
  )
  await page.getByLabel('Anything else').fill('Season: Summer')
  await page.getByRole('button', { name: 'Upload and tag' }).click()
  expect(await problemAt(page, 'Image URL')).toBe('Must be an http or https URL.')
  await address.fill(await publish('not-an-image.jpg', 'plain text'))
  await page.getByRole('button', { name: 'Upload and tag' }).click()
  await page.getByText('Failed', { exact: true }).first().waitFor()
  await page.goto('/dashboard/upload')
  await page.getByLabel('Number').fill('taken')
  await address.fill(`${hostOrigin}/to/slow?silent`)
  await page.getByRole('button', { name: 'Upload and tag' }).click()
  // Navigating earlier could cancel the submission.
  await page.waitForURL('**/dashboard/garment?uuid=taken')
  await page.goto('/dashboard/upload')
  await page.getByLabel('Number').fill('taken')
  await address.fill(`${hostOrigin}/files/other.jpg`)
  await page.getByRole('button', { name: 'Upload and tag' }).click()
  expect(await problemAt(page, 'Number')).toBe('It was uploaded before with another image_url or attribute.')
})

it('the webhook form shows problems at their fields, and generates a secret without losing other values', async () => {
  const page = await open({ as: merchant.credentials })
  await page.goto('/dashboard/webhook')
  await page.getByLabel('Send results to this URL').check()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  expect(await problemAt(page, 'URL')).toBe('URL is required when webhook is enabled.')
  await page.getByLabel('URL', { exact: true }).fill('https://user:password@example.com/')
  await page.getByLabel('Secret').fill('whsec_tooshort')
  await page.getByLabel('Headers').fill('Host: evil.example\nX-Good: yes')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  expect(await problemAt(page, 'URL')).toBe('Must not contain a user name or password.')
  expect(await problemAt(page, 'Secret')).toContain('Must be base64 of 24 to 64 bytes')
  expect(await problemAt(page, 'Headers')).toBe('Host: is set by the service and cannot be replaced.')
  await page.getByLabel('Secret').fill('easy to guess')
  await page.getByLabel('Headers').fill('nonsense')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  expect(await problemAt(page, 'Secret')).toBe('Must have at least 24 characters.')
  expect(await problemAt(page, 'Headers')).toBe('Line 1 must read "Name: value".')
  await page.getByLabel('Headers').fill('X-Good: yes')
  await page.getByRole('button', { name: 'Generate a secret' }).click()
  await expect.poll(() => page.getByLabel('Secret').inputValue()).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  await expect.poll(() => page.getByLabel('Headers').inputValue()).toBe('X-Good: yes')
  await expect.poll(() => page.getByLabel('Send results to this URL').isChecked()).toBe(true)
  await page.getByLabel('URL', { exact: true }).fill(receiver('forms', 'status=500&text=Not+today'))
  // Enter must save, not generate a secret.
  await page.getByLabel('URL', { exact: true }).press('Enter')
  await page.getByText('Saved.', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Send a test event' }).click()
  await page.getByText('Your system did not accept the test event: HTTP 500: Internal Server Error').waitFor()
  await expect.poll(() => page.getByRole('region', { name: 'Response' }).innerText()).toBe('Not today')
})

it('studios can be added, changed and removed, with problems at their fields', async () => {
  const page = await open({ as: merchant.credentials })
  await page.goto('/dashboard/tenant')
  await page.getByRole('button', { name: 'Save studio' }).click()
  expect(await problemAt(page, 'Studio')).toBe('Must not be empty.')
  expect(await problemAt(page, 'Centimetres per pixel')).toBe('Must be at least 0.0001.')
  for (const scale of ['0.08', '0.05']) {
    await page.getByLabel('Studio', { exact: true }).fill('Paris 1')
    await page.getByLabel('Centimetres per pixel').fill(scale)
    await page.getByRole('button', { name: 'Save studio' }).click()
    await page.getByText('The studio was saved.').waitFor()
  }
  await expect.poll(() => page.getByRole('row', { name: /Paris 1/ }).innerText()).toContain('0.05')
  await page.getByRole('button', { name: 'Remove Paris 1' }).click()
  await page.getByText('The studio was removed.').waitFor()
  await expect.poll(() => page.getByRole('row', { name: /Paris 1/ }).count()).toBe(0)
})

it('an invalid cursor and an unknown path show an error page that links to the overview', async () => {
  const page = await open({ as: merchant.credentials })
  for (const path of ['/dashboard/garments?cursor=x', '/dashboard/deliveries?cursor=x', '/dashboard/no-such-page']) {
    await page.goto(path)
    await page.getByRole('link', { name: 'Back to the overview' }).click()
    await page.waitForURL('**/dashboard')
    await expect.poll(() => page.getByRole('heading', { name: 'Forms' }).count()).toBe(1)
  }
})
