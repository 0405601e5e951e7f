import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { hostOrigin, publish, receiver } from './host.ts'
import { newMerchant, useBrowser, type Merchant } from './visitor.ts'

const open = useBrowser()
let merchant: Merchant

beforeAll(async () => {
  merchant = await newMerchant('Forms')
})

/** The problem shown at a field, found by `aria-describedby` as a screen reader does. */
async function problemAt(page: Page, label: string): Promise<string> {
  const field = page.locator('input, textarea').and(page.getByLabel(new RegExp(`^${label}`)))
  // Wait for the response to the form.
  await field.and(page.locator('[aria-invalid]')).waitFor()
  expect(await field.getAttribute('aria-invalid')).toBe('true')
  const ids = (await field.getAttribute('aria-describedby'))?.split(' ') ?? []
  return await page.locator(`#${ids.at(-1)}`).innerText()
}

describe('the account forms', () => {
  it('show problems at their fields and keep all values except the password', async () => {
    const page = await open()
    await page.goto('/dashboard/sign-up')
    await page.getByLabel('Company').fill('Kept Ltd')
    await page.getByLabel('Email').fill('not an address')
    await page.getByLabel('Password').fill('short')
    await page.getByRole('button', { name: 'Create account' }).click()
    expect(await problemAt(page, 'Your name')).toBe('Must not be empty.')
    expect(await problemAt(page, 'Email')).toBe('Must be an email address.')
    expect(await problemAt(page, 'Password')).toBe('Must have at least 8 characters.')
    expect(await page.getByLabel('Company').inputValue()).toBe('Kept Ltd')
    expect(await page.getByLabel('Password').inputValue()).toBe('')
    // The summary has the focus and links to the field.
    await expect.poll(() => page.evaluate('document.activeElement.getAttribute("role")')).toBe('alert')
    await page.getByRole('alert').getByRole('link', { name: 'Email: Must be an email address.' }).click()
    expect(await page.evaluate('document.activeElement.name')).toBe('email')
  })

  it('report an email that is already in use', async () => {
    const page = await open()
    await page.goto('/dashboard/sign-up')
    await page.getByLabel('Your name').fill('Again')
    await page.getByLabel('Email').fill(merchant.credentials.email.toUpperCase())
    await page.getByLabel('Password').fill('a long enough password')
    await page.getByRole('button', { name: 'Create account' }).click()
    expect(await problemAt(page, 'Email')).toBe('A merchant with this email already exists.')
  })

  it('do not reveal whether the email or the password was wrong', async () => {
    const page = await open()
    for (const email of [merchant.credentials.email, 'nobody@example.com']) {
      await page.goto('/dashboard/sign-in')
      await page.getByLabel('Email').fill(email)
      await page.getByLabel('Password').fill('a wrong password')
      await page.getByRole('button', { name: 'Sign in' }).click()
      expect(await page.getByRole('alert').innerText()).toContain('The email or the password is wrong.')
      expect(await page.getByLabel('Email').inputValue()).toBe(email)
    }
  })
})

it('the tenant form shows problems at their fields, including a domain that is taken', async () => {
  const page = await open()
  const id = crypto.randomUUID().slice(0, 8)
  await page.goto('/dashboard/sign-up')
  await page.getByLabel('Your name').fill('No Tenant')
  await page.getByLabel('Email').fill(`tenant-form-${id}@example.com`)
  await page.getByLabel('Password').fill('a long enough password')
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByLabel('Domain').fill('no spaces please')
  await page.getByLabel('Time zone').fill('Mars/Olympus')
  await page.getByLabel('Currency').fill('XYZ')
  await page.getByRole('button', { name: 'Create tenant' }).click()
  expect(await problemAt(page, 'Name')).toBe('Must not be empty.')
  expect(await problemAt(page, 'Domain')).toContain('Must be 1 to 253 letters, digits')
  expect(await problemAt(page, 'Time zone')).toBe('Must be an IANA time zone such as Europe/Berlin.')
  expect(await problemAt(page, 'Currency')).toBe('Must be an ISO 4217 code such as EUR.')
  await page.getByLabel('Name').fill('Mine')
  await page.getByLabel('Domain').fill(merchant.domain)
  await page.getByLabel('Time zone').fill('Europe/Berlin')
  await page.getByLabel('Currency').fill('eur')
  await page.getByRole('button', { name: 'Create tenant' }).click()
  expect(await problemAt(page, 'Domain')).toBe('This domain is taken.')
  expect(await page.getByLabel('Name').inputValue()).toBe('Mine')
})

it('the key form requires a name and reports the maximum number of keys', async () => {
  const { credentials, merchant: api } = await newMerchant('Many Keys')
  const page = await open({ as: credentials })
  await page.goto('/dashboard/keys')
  await page.getByRole('button', { name: 'Create key' }).click()
  expect(await problemAt(page, 'Name')).toBe('Must not be empty.')
  for (let i = 1; i < 20; i++) await api.expectSuccess('POST', '/merchant/tenant/api-key', { name: `key ${i}` })
  await page.getByLabel('Name').fill('one too many')
  await page.getByRole('button', { name: 'Create key' }).click()
  expect(await page.getByRole('alert').innerText()).toContain('A tenant has at most 20 live keys; revoke one first.')
  const row = page.getByRole('row', { name: /key 7/ })
  await row.getByText('Revoke key 7', { exact: true }).click()
  await row.getByRole('button', { name: 'Revoke now key 7' }).click()
  await page.getByText('The key was revoked.').waitFor()
  expect(await page.getByRole('row').count()).toBe(20)
})

it('the upload form shows problems at their fields, including a uuid used for other content', async () => {
  const page = await open({ as: merchant.credentials })
  const address = page.getByLabel('Image URL')
  await page.goto('/dashboard/upload')
  await address.fill('ftp://example.com/x.jpg')
  await page.getByLabel('uuid').fill('u'.repeat(129))
  await page.getByLabel('Brand').fill('b'.repeat(513))
  await page.getByRole('button', { name: 'Upload and tag' }).click()
  expect(await problemAt(page, 'uuid')).toBe('Must be at most 128 characters.')
  expect(await problemAt(page, 'Brand')).toBe('Must be at most 512 characters.')
  await page.getByLabel('uuid').fill('form-garment')
  await page.getByLabel('Brand').fill('')
  await page.getByLabel('Further attributes').fill('no colon here\nSeason: Summer\nSeason: Winter\nBrand: Twice')
  await page.getByRole('button', { name: 'Upload and tag' }).click()
  expect(await problemAt(page, 'Further attributes')).toBe(
    'Line 1 must read "Name: value". Season: is given twice. Brand has a field of its own.',
  )
  await page.getByLabel('Further attributes').fill('Season: Summer')
  await page.getByRole('button', { name: 'Upload and tag' }).click()
  expect(await problemAt(page, 'Image URL')).toBe('Must be an http or https URL.')
  await address.fill(await publish('not-an-image.jpg', 'plain text'))
  await page.getByRole('button', { name: 'Upload and tag' }).click()
  await page.getByText('Failed', { exact: true }).first().waitFor()
  await page.goto('/dashboard/upload')
  await page.getByLabel('uuid').fill('taken')
  await address.fill(`${hostOrigin}/to/slow?delay=10000`)
  await page.getByRole('button', { name: 'Upload and tag' }).click()
  // Navigating earlier could cancel the submission.
  await page.waitForURL('**/dashboard/garment?uuid=taken')
  await page.goto('/dashboard/upload')
  await page.getByLabel('uuid').fill('taken')
  await address.fill(`${hostOrigin}/files/other.jpg`)
  await page.getByRole('button', { name: 'Upload and tag' }).click()
  expect(await problemAt(page, 'uuid')).toBe('It was uploaded before with another image_url or attribute.')
})

it('the webhook form shows problems at their fields, and generates a secret without losing other values', async () => {
  const page = await open({ as: merchant.credentials })
  await page.goto('/dashboard/webhook')
  await page.getByLabel('Send results to this URL').check()
  await page.getByRole('button', { name: 'Save' }).click()
  expect(await problemAt(page, 'URL')).toBe('URL is required when webhook is enabled.')
  await page.getByLabel('URL', { exact: true }).fill('https://user:password@example.com/')
  await page.getByLabel('Secret').fill('whsec_tooshort')
  await page.getByLabel('Headers').fill('Host: evil.example\nX-Good: yes')
  await page.getByRole('button', { name: 'Save' }).click()
  expect(await problemAt(page, 'URL')).toBe('Must not contain a user name or password.')
  expect(await problemAt(page, 'Secret')).toContain('Must be base64 of 24 to 64 bytes')
  expect(await problemAt(page, 'Headers')).toBe('Host: is set by the service and cannot be replaced.')
  await page.getByLabel('Headers').fill('nonsense')
  await page.getByRole('button', { name: 'Save' }).click()
  expect(await problemAt(page, 'Headers')).toBe('Line 1 must read "Name: value".')
  await page.getByLabel('Headers').fill('X-Good: yes')
  await page.getByRole('button', { name: 'Generate a secret' }).click()
  expect(await page.getByLabel('Secret').inputValue()).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(await page.getByLabel('Headers').inputValue()).toBe('X-Good: yes')
  expect(await page.getByLabel('Send results to this URL').isChecked()).toBe(true)
  await page.getByLabel('URL', { exact: true }).fill(receiver('forms', 'status=500&text=Not+today'))
  // Enter must save, not generate a secret.
  await page.getByLabel('URL', { exact: true }).press('Enter')
  await page.getByText('Saved.', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Send a test event' }).click()
  await page.getByText('Your system did not accept the test event: HTTP 500: Internal Server Error').waitFor()
  expect(await page.getByRole('region', { name: 'Response' }).innerText()).toBe('Not today')
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
  expect(await page.getByRole('row', { name: /Paris 1/ }).innerText()).toContain('0.05')
  await page.getByRole('button', { name: 'Remove Paris 1' }).click()
  await page.getByText('The studio was removed.').waitFor()
  expect(await page.getByText('No studios yet').count()).toBe(1)
})

it('a tenant is deleted only after its domain was confirmed and no work is active', async () => {
  const { credentials, domain, tenant } = await newMerchant('Deleted')
  const page = await open({ as: credentials })
  const confirm = async (text: string) => {
    await page.getByLabel('Type the domain to confirm').fill(text)
    await page.getByRole('button', { name: 'Delete the tenant' }).click()
  }
  await page.goto('/dashboard/tenant')
  await confirm('another.example')
  expect(await problemAt(page, 'Type the domain')).toBe(`Type ${domain} to delete it.`)
  const slow = `${hostOrigin}/to/very-slow?delay=5000`
  await tenant.expectSuccess('POST', '/garment-tagging/upload', { uuid: 'active', image_url: slow })
  await confirm(domain)
  expect(await page.getByRole('alert').innerText()).toContain('A garment is still being tagged')
  await expect
    .poll(async () => (await tenant.call('GET', '/garment-tagging/query?uuid=active')).body.data.status, {
      timeout: 15_000,
      interval: 500,
    })
    .toBe('failed')
  await confirm(domain)
  await page.getByText('The tenant was deleted.').waitFor()
  expect((await tenant.call('GET', '/garment-tagging/query?uuid=active')).status).toBe(401)
})

it('an invalid cursor and an unknown path show an error page that links to the overview', async () => {
  const page = await open({ as: merchant.credentials })
  for (const path of ['/dashboard/garments?cursor=x', '/dashboard/deliveries?cursor=x', '/dashboard/no-such-page']) {
    await page.goto(path)
    await page.getByRole('link', { name: 'Back to the overview' }).click()
    await page.waitForURL('**/dashboard')
    expect(await page.getByRole('heading', { name: 'Forms' }).count()).toBe(1)
  }
})
