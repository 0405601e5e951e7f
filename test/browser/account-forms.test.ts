import { beforeAll, describe, expect, it } from 'vitest'
import { hostOrigin, release } from './support/host.ts'
import { problemAt } from './support/problem-at.ts'
import { newMerchant, keepCodes, signUp, useBrowser, type Merchant } from './support/visitor.ts'

const open = useBrowser()
let merchant: Merchant

beforeAll(async () => {
  merchant = await newMerchant('Forms')
})

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
    await expect.poll(() => page.getByLabel('Company').inputValue()).toBe('Kept Ltd')
    await expect.poll(() => page.getByLabel('Password').inputValue()).toBe('')
    // The summary has the focus and links to the field.
    await expect.poll(() => page.evaluate('document.activeElement.getAttribute("role")')).toBe('alert')
    await page.getByRole('alert').getByRole('link', { name: 'Email: Must be an email address.' }).click()
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('email')
  })

  it('report an email that is already in use', async () => {
    const page = await open()
    await page.goto('/dashboard/sign-up')
    await signUp(page, 'Again', merchant.credentials.email.toUpperCase())
    expect(await problemAt(page, 'Email')).toBe('A merchant with this email already exists.')
  })

  it('do not reveal whether the email or the password was wrong', async () => {
    const page = await open()
    for (const email of [merchant.credentials.email, 'nobody@example.com']) {
      await page.goto('/dashboard/sign-in')
      await page.getByLabel('Email').fill(email)
      await page.getByLabel('Password').fill('a wrong password')
      await page.getByRole('button', { name: 'Sign in' }).click()
      await expect.poll(() => page.getByRole('alert').innerText()).toContain('The email or the password is wrong.')
      await expect.poll(() => page.getByLabel('Email').inputValue()).toBe(email)
    }
  })
})

it('the tenant form shows problems at their fields, including a domain that is taken', async () => {
  const page = await open()
  const id = crypto.randomUUID().slice(0, 8)
  await page.goto('/dashboard/sign-up')
  await signUp(page, 'No Tenant', `tenant-form-${id}@example.com`)
  await keepCodes(page)
  await page.getByRole('link', { name: 'Connect my shop by API' }).click()
  await page.getByLabel('Domain').fill('no spaces please')
  await page.getByLabel('Time zone').fill('Mars/Olympus')
  await page.getByLabel('Currency').fill('XYZ')
  await page.getByRole('button', { name: 'Create the shop' }).click()
  expect(await problemAt(page, 'Name')).toBe('Must not be empty.')
  expect(await problemAt(page, 'Domain')).toContain('Must be 1 to 253 letters, digits')
  expect(await problemAt(page, 'Time zone')).toBe('Must be an IANA time zone such as Europe/Berlin.')
  expect(await problemAt(page, 'Currency')).toBe('Must be an ISO 4217 code such as EUR.')
  await page.getByLabel('Name').fill('Mine')
  await page.getByLabel('Domain').fill(merchant.domain)
  await page.getByLabel('Time zone').fill('Europe/Berlin')
  await page.getByLabel('Currency').fill('eur')
  await page.getByRole('button', { name: 'Create the shop' }).click()
  expect(await problemAt(page, 'Domain')).toContain('This domain is taken')
  await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('Mine')
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
  await expect
    .poll(() => page.getByRole('alert').innerText())
    .toContain('A tenant has at most 20 live keys. Revoke a key first.')
  const row = page.getByRole('row', { name: /key 7/ })
  await row.getByText('Revoke key 7', { exact: true }).click()
  await row.getByRole('button', { name: 'Revoke now key 7' }).click()
  await page.getByText('The key was revoked.').waitFor()
  await expect.poll(() => page.getByRole('row').count()).toBe(20)
})

it('a tenant is deleted only after its name was confirmed and no work is active', async () => {
  const { credentials, tenant } = await newMerchant('Deleted')
  const page = await open({ as: credentials })
  const confirm = async (text: string) => {
    await page.getByLabel('Type the name of the shop to confirm').fill(text)
    await page.getByLabel('Your password').fill(credentials.password)
    await page.getByRole('button', { name: 'Delete the shop' }).click()
  }
  await page.goto('/dashboard/tenant')
  await confirm('another.example')
  expect(await problemAt(page, 'Type the name of the shop')).toBe('Type Deleted to delete it.')
  const slow = `${hostOrigin}/to/very-slow?hold`
  await tenant.expectSuccess('POST', '/garment-tagging/upload', { uuid: 'active', image_url: slow })
  await confirm('Deleted')
  await expect.poll(() => page.getByRole('alert').innerText()).toContain('A garment is being tagged')
  await release('very-slow')
  await expect
    .poll(async () => (await tenant.call('GET', '/garment-tagging/query?uuid=active')).body.data.status)
    .toBe('failed')
  await confirm('Deleted')
  await page.getByText('The shop was deleted.').waitFor()
  expect((await tenant.call('GET', '/garment-tagging/query?uuid=active')).status).toBe(401)
})
