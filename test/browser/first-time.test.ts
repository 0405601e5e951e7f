import { Webhook } from 'standardwebhooks'
import { assert, expect, it } from 'vitest'
import { createClient } from '../support/api-client.ts'
import { hostOrigin, publishGarment, received, receiver } from './support/host.ts'
import { serviceUrl, keepCodes, signUp, useBrowser } from './support/visitor.ts'

const open = useBrowser()

it('onboarding leads to an account, a tenant, a key, a tagged garment and a working webhook', async () => {
  const page = await open({ timezoneId: 'Europe/Berlin', permissions: ['clipboard-read', 'clipboard-write'] })
  const id = crypto.randomUUID().slice(0, 8)
  const domain = `first-${id}.example.com`

  await page.goto('/')
  await page.getByRole('link', { name: 'Create account' }).first().click()
  await signUp(page, 'Ada Newcomer', `ada-${id}@example.com`)
  await keepCodes(page)

  await page.getByRole('heading', { name: 'Welcome, Ada Newcomer' }).waitFor()
  await page.getByRole('link', { name: 'Connect my shop by API' }).click()
  await expect.poll(() => page.getByLabel('Time zone').inputValue()).toBe('Europe/Berlin')
  await page.getByLabel('Name').fill('First Shop')
  await page.getByLabel('Domain').fill(domain)
  await page.getByRole('button', { name: 'Create the shop' }).click()

  await page.getByRole('heading', { name: 'First Shop' }).waitFor()
  await expect.poll(() => page.getByText('1 of 5 done').count()).toBe(1)
  await page.getByLabel('Name').fill('shop backend')
  await page.getByRole('button', { name: 'Create key' }).click()

  await page.getByRole('heading', { name: 'Your new API key' }).waitFor()
  const key = await page.getByRole('region', { name: 'API key' }).innerText()
  expect(key).toMatch(/^gt_[0-9A-Za-z]{38}$/)
  await page.getByRole('button', { name: 'Copy API key' }).click()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(key)
  const command = await page.getByRole('region', { name: 'upload command' }).innerText()
  for (const part of [serviceUrl, `API-KEY: ${key}`, `DOMAIN: ${domain}`]) expect(command).toContain(part)
  const api = createClient(serviceUrl, { 'API-KEY': key, DOMAIN: domain })
  expect((await api.call('GET', '/garment-tagging/webhook/config')).status).toBe(200)
  await page.getByRole('link', { name: 'I have copied it' }).click()
  await page.goto('/dashboard/keys')
  await expect.poll(() => page.content()).not.toContain(key)
  await expect.poll(() => page.getByRole('row', { name: /shop backend/ }).innerText()).toMatch(/\d s ago|now/)

  // The reference's examples contain the new key and the domain.
  await page.goto('/docs/api/garments')
  const upload = page.locator('section').filter({ has: page.locator('#uploadGarment') })
  const example = await upload.locator('.code code').filter({ hasText: 'curl ' }).textContent()
  for (const part of [serviceUrl, `API-KEY: ${key}`, `DOMAIN: ${domain}`]) expect(example).toContain(part)

  await page.goto('/dashboard/build')
  await page.getByLabel('Image URL').fill(await publishGarment())
  await page.getByRole('button', { name: 'Upload and tag' }).click()
  await page.waitForURL('**/dashboard/garment?uuid=*')
  // The page updates without a reload.
  await page.getByRole('heading', { name: /^Measurements/ }).waitFor()
  const picture = page.getByRole('img', { name: /^Picture of the garment/ })
  const pictureWidth = await picture.evaluate(async (element) => {
    const img = element as unknown as { readonly naturalWidth: number; decode(): Promise<void> }
    await img.decode()
    return img.naturalWidth
  })
  expect(pictureWidth).toBeGreaterThan(100)
  await expect.poll(() => page.locator('#tags').innerText()).toMatch(/High|Medium|Low/)
  await expect.poll(() => page.getByLabel('Chest optional').getAttribute('placeholder')).toMatch(/^\d+(\.5)?$/)

  await page.getByRole('link', { name: 'Build' }).click()
  const name = `first-${id}`
  await page.getByLabel('Webhook URL').fill(receiver(name))
  const secret = await page.getByLabel('Secret').inputValue()
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  await page.getByRole('button', { name: 'Save and switch on' }).click()
  await page.getByText('Saved.', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Send a test event' }).click()
  await page.getByText('Your system accepted the test event.').waitFor()
  await expect.poll(() => page.getByRole('region', { name: 'Response' }).innerText()).toBe('thanks')

  await page.goto('/dashboard/upload')
  const uuid = await page.getByLabel('Number').inputValue()
  await page.getByLabel('Image URL').fill(await publishGarment(3))
  await page.getByLabel('Brand').fill('First Brand')
  await page.getByRole('button', { name: 'Upload and tag' }).click()
  await page.getByText('Delivered', { exact: true }).waitFor()
  const [test, delivery] = await received(name)
  expect([test?.headers['x-webhook-event'], delivery?.headers['x-webhook-event']]).toEqual([
    'webhook.test',
    'tagging.completed',
  ])
  assert(delivery !== undefined)
  const verified = new Webhook(secret).verify(delivery.body, { ...delivery.headers }) as { uuid: string; tag: object }
  expect(verified).toMatchObject({ uuid, tag: { Brand: 'First Brand' } })

  await page.getByRole('link', { name: 'Overview' }).click()
  await page.getByText('Times are in Europe/Berlin.').waitFor()
  await expect.poll(() => page.getByText('First steps').count()).toBe(0)

  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL(`${serviceUrl}/`)
  await page.goBack()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await expect.poll(() => page.url()).toContain('/dashboard/sign-in')
})

it('whoever describes garments here needs a name and a picture, and no key, domain or webhook', async () => {
  const page = await open({ timezoneId: 'Europe/Berlin' })
  const id = crypto.randomUUID().slice(0, 8)
  await page.goto('/dashboard/sign-up')
  await signUp(page, 'Ada', `here-${id}@example.com`)
  await keepCodes(page)
  await page.getByRole('link', { name: 'Describe garments here' }).click()
  await expect.poll(() => page.getByLabel('Time zone').inputValue()).toBe('Europe/Berlin')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('Name: Must not be empty.').waitFor()
  await page.getByLabel('Name of your shop').fill('Adas Lädchen')
  await page.getByRole('button', { name: 'Continue' }).click()

  await page.getByRole('heading', { name: 'Adas Lädchen' }).waitFor()
  await expect.poll(() => page.getByText('1 of 2 done').count()).toBe(1)
  await expect
    .poll(() => page.getByRole('link', { name: 'Choose or take pictures' }).getAttribute('href'))
    .toBe('/dashboard/imports')
  await page.getByRole('button', { name: 'Try a sample' }).click()
  await page.getByRole('heading', { name: /^Measurements/ }).waitFor()
  await page.getByRole('link', { name: 'Overview' }).click()
  await page.getByText('Latest garments').waitFor()
  await expect.poll(() => page.getByText('First steps').count()).toBe(0)
  await page.getByRole('link', { name: 'Shop' }).click()
  await page.getByText('For the API').click()
  await expect.poll(() => page.locator('.facts code').first().innerText()).toMatch(/^adas-ladchen-[0-9a-f]{8}$/)
})

it('signing in returns to the requested page, and never to another site', async () => {
  const page = await open()
  const id = crypto.randomUUID().slice(0, 8)
  const credentials = { email: `back-${id}@example.com`, password: 'a long enough password' }
  await createClient(serviceUrl).expectSuccess('POST', '/merchant/sign-up', { ...credentials, name: 'Back' })
  const signIn = async () => {
    await page.getByLabel('Email').fill(credentials.email)
    await page.getByLabel('Password').fill(credentials.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
  }

  await page.goto('/dashboard/account?from=here')
  await signIn()
  await page.waitForURL(`${serviceUrl}/dashboard/account?from=here`)

  for (const next of [hostOrigin, '//127.0.0.1/', '/\\127.0.0.1', 'javascript:alert(1)', '/garment-tagging/query']) {
    await page.context().clearCookies()
    await page.goto(`/dashboard/sign-in?next=${encodeURIComponent(next)}`)
    await signIn()
    await page.getByRole('heading', { name: 'Welcome, Back' }).waitFor()
    await expect.poll(() => page.url()).toBe(`${serviceUrl}/dashboard`)
  }
})
