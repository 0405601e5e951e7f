import { beforeAll, expect, it } from 'vitest'
import { hostOrigin, publish, publishGarment, receiver } from './support/host.ts'
import { newMerchant, serviceUrl, useBrowser, type Merchant } from './support/visitor.ts'

const open = useBrowser()
let owner: Merchant
let stranger: Merchant

beforeAll(async () => {
  owner = await newMerchant('Owner')
  stranger = await newMerchant('Stranger')
  const config = { enabled: true, url: receiver('owner'), secret: 'the secret of the owner' }
  await owner.tenant.expectSuccess('PUT', '/garment-tagging/webhook/config', config)
  const upload = { uuid: 'private', image_url: await publishGarment() }
  await owner.tenant.expectSuccess('POST', '/garment-tagging/upload', upload)
})

it("another merchant's garments, deliveries and keys can neither be read nor changed", async () => {
  const page = await open({ as: stranger.credentials })
  for (const path of ['/dashboard/garment?uuid=private', '/dashboard/delivery?uuid=private']) {
    const response = await page.request.get(path)
    expect(response.status()).toBe(404)
  }
  const pages = ['', '/garments', '/garments?search=private', '/deliveries', '/webhook', '/keys', '/usage', '/tenant']
  for (const path of pages) {
    const response = await page.request.get(`/dashboard${path}`)
    const html = await response.text()
    expect([response.status(), html]).toEqual([200, expect.stringContaining(stranger.domain)])
    expect(html).not.toContain(owner.domain)
    expect(html).not.toContain('the secret of the owner')
    expect(html).not.toContain('uuid=private')
  }
  const { api_keys: keys } = await owner.merchant.expectSuccess('GET', '/merchant/tenant/api-key')
  const post = async (path: string, form: Record<string, string>) =>
    (await page.request.post(path, { form, headers: { Origin: serviceUrl }, maxRedirects: 0 })).status()
  expect(await post('/dashboard/keys/revoke', { id: keys[0].id })).toBe(404)
  expect(await post('/dashboard/delivery', { uuid: 'private' })).toBe(404)
  const { password } = stranger.credentials
  expect(await post('/dashboard/tenant/delete', { confirmation: owner.domain, password })).toBe(400)
  expect((await owner.tenant.call('GET', '/garment-tagging/query?uuid=private')).status).toBe(200)
})

it('no dashboard page opens without a valid session', async () => {
  const page = await open()
  const paths = ['', '/garments', '/garment?uuid=private', '/deliveries', '/webhook', '/keys', '/usage', '/tenant']
  for (const session of [undefined, 'x', 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.']) {
    if (session !== undefined) await page.context().addCookies([{ name: 'session', value: session, url: serviceUrl }])
    for (const path of paths) {
      const response = await page.request.get(`/dashboard${path}`)
      expect(new URL(response.url()).pathname).toBe('/dashboard/sign-in')
    }
    await page.goto('/dashboard')
    expect(new URL(page.url()).pathname).toBe('/dashboard/sign-in')
  }
})

it('a form on another origin changes nothing, although the browser sends the session cookie', async () => {
  const page = await open({ as: owner.credentials })
  await page.goto('/dashboard')
  const attacks: readonly (readonly [path: string, fields: Record<string, string>])[] = [
    ['/dashboard/keys', { name: 'planted' }],
    ['/dashboard/webhook', { enabled: 'on', url: receiver('thief'), secret: '' }],
    ['/dashboard/tenant/delete', { confirmation: owner.domain, password: owner.credentials.password }],
    ['/dashboard/sign-out', {}],
    ['/dashboard/sign-in', stranger.credentials],
  ]
  // Same-site cookies ignore ports, so the browser sends the cookie from this origin.
  const site = hostOrigin.replace('127.0.0.1', 'localhost')
  for (const [path, fields] of attacks) {
    const inputs = Object.entries(fields).map(([name, value]) => `<input name="${name}" value="${value}">`)
    const form = `<form method="post" action="${serviceUrl}${path}">${inputs.join('')}<button>Win</button></form>`
    await publish('attack.html', `<!doctype html><title>x</title>${form}`)
    await page.goto(`${site}/files/attack.html?type=text/html`)
    const answer = page.waitForResponse((response) => response.url() === serviceUrl + path)
    await page.getByRole('button', { name: 'Win' }).click()
    const response = await answer
    expect([path, response.status()]).toEqual([path, 403])
    expect((await response.request().allHeaders())['cookie']).toContain('session=')
    await page.getByRole('heading', { name: 'This form did not come from the dashboard' }).waitFor()
  }
  await page.goto('/dashboard/keys')
  await expect.poll(() => page.getByText('planted').count()).toBe(0)
  await page.goto('/dashboard/webhook')
  await expect.poll(() => page.getByLabel('URL', { exact: true }).inputValue()).toBe(receiver('owner'))
})

it('the dashboard cannot be framed by another site', async () => {
  const page = await open({ as: owner.credentials })
  await page.goto('/dashboard')
  const html = `<!doctype html><title>x</title><iframe src="${serviceUrl}/dashboard"></iframe>`
  await publish('frame.html', html)
  const refused = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'))
  await page.goto(`${hostOrigin.replace('127.0.0.1', 'localhost')}/files/frame.html?type=text/html`)
  await refused
  await expect.poll(() => page.frames()[1]?.getByRole('heading').count()).toBe(0)
  open.forgetReports()
})
