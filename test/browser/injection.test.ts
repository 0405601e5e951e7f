import { beforeAll, expect, it, vi } from 'vitest'
import { createClient } from '../support/api-client.ts'
import { timeouts } from '../support/timeouts.ts'
import { publishGarment, received, receiver } from './support/host.ts'
import { serviceUrl, useBrowser, type Credentials } from './support/visitor.ts'

const open = useBrowser()

/** Breaks out of text, attributes, text areas, titles and scripts wherever encoding is missing. */
const hack = (where: string) =>
  `</textarea></title></script>'"><img src=x onerror="hacked('${where}')"><script>hacked('${where}')</script>`

const uuid = `../${hack('uuid').slice(0, 120)}`
const credentials: Credentials = { email: `${crypto.randomUUID()}@example.com`, password: 'a long enough password' }
const name = `injection-${crypto.randomUUID()}`

beforeAll(async () => {
  const anyone = createClient(serviceUrl)
  await anyone.expectSuccess('POST', '/merchant/sign-up', {
    ...credentials,
    name: hack('name'),
    company: hack('company'),
  })
  const { token } = await anyone.expectSuccess('POST', '/merchant/sign-in', credentials)
  const merchant = anyone.with({ Authorization: `Bearer ${token}` })
  const domain = `${crypto.randomUUID()}.example`
  const tenant = { name: hack('tenant'), domain, description: hack('description') }
  await merchant.expectSuccess('POST', '/merchant/tenant', tenant)
  const key = await merchant.expectSuccess('POST', '/merchant/tenant/api-key', { name: hack('key') })
  const api = anyone.with({ 'API-KEY': key.api_key, DOMAIN: domain })
  const answer = encodeURIComponent(hack('answer'))
  await api.expectSuccess('PUT', '/garment-tagging/webhook/config', {
    enabled: true,
    url: receiver(name, `status=500&type=text/html&text=${answer}&x=${hack('url').replaceAll(' ', '+')}`),
    secret: hack('secret').slice(0, 200),
    headers: { 'X-Hack': hack('header') },
  })
  const attribute = { Brand: hack('brand'), Material: hack('material'), [hack('key').slice(0, 64)]: hack('value') }
  const image = await publishGarment(7, `x=${encodeURIComponent(hack('image'))}`)
  await api.expectSuccess('POST', '/garment-tagging/upload', { uuid, image_url: image, attribute })
  const broken = `${image.split('/files/')[0]}/files/none?x="><script>hacked('broken')</script>`.replaceAll(' ', '+')
  await api.expectSuccess('POST', '/garment-tagging/upload', { uuid: hack('fail').slice(0, 128), image_url: broken })
  await vi.waitFor(
    async () => {
      if ((await received(name)).length === 0) throw new Error('nothing was delivered yet')
    },
    { timeout: timeouts.wait, interval: 200 },
  )
})

it('no stored text or query parameter can inject markup or scripts', async () => {
  const page = await open({ as: credentials })
  const hacked: string[] = []
  await page.exposeFunction('hacked', (where: string) => hacked.push(where))
  const of = (path: string, text: string) => `${path}=${encodeURIComponent(text)}`
  const paths = [
    '/dashboard',
    '/dashboard/garments',
    of('/dashboard/garments?search', hack('search')),
    of('/dashboard/garment?uuid', uuid),
    of('/dashboard/garment?uuid', hack('fail').slice(0, 128)),
    of('/dashboard/garment?uuid', hack('unknown')),
    '/dashboard/upload',
    '/dashboard/webhook',
    '/dashboard/deliveries',
    of('/dashboard/delivery?uuid', uuid),
    '/dashboard/keys',
    '/dashboard/tenant',
    of('/dashboard/tenant?done', hack('done')),
    `/dashboard/${encodeURIComponent(hack('path'))}`,
  ]
  for (const path of paths) {
    await page.goto(path)
    // Injected markup would add elements or break the page's structure.
    await expect.poll(() => page.locator('img[src="x"], main script:not([src^="/assets/scripts/"])').count()).toBe(0)
    await expect.poll(() => page.getByRole('main').count()).toBe(1)
  }
  await page.goto(of('/dashboard/delivery?uuid', uuid))
  expect(
    await page
      .getByRole('region', { name: /^Response at/ })
      .first()
      .innerText(),
  ).toBe(hack('answer'))
  await expect.poll(() => page.getByRole('heading').first().innerText()).toContain(uuid)
  await page.goto('/dashboard/webhook')
  await expect.poll(() => page.getByLabel('Headers').inputValue()).toBe(`X-Hack: ${hack('header')}`)
  await page.getByRole('button', { name: 'Send a test event' }).click()
  await expect.poll(() => page.getByRole('region', { name: 'Response' }).innerText()).toBe(hack('answer'))
  await page.goto(of('/dashboard/garment?uuid', uuid))
  await page.getByRole('heading', { name: 'Upload details' }).click()
  await page.getByText('For developers', { exact: true }).click()
  await expect
    .poll(() => page.getByRole('region', { name: 'JSON' }).innerText())
    .toContain(JSON.stringify(hack('brand')))
  await expect.poll(() => page.getByLabel('Brand optional').last().inputValue()).toContain(hack('brand'))
  await page.context().clearCookies()
  await page.goto(of('/dashboard/sign-in?next', hack('next')))
  await page.getByLabel('Email').fill(hack('email'))
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect.poll(() => page.getByLabel('Email').inputValue()).toBe(hack('email'))
  expect(hacked).toEqual([])
})

it('the content security policy blocks injected scripts, styles and images', async () => {
  const page = await open({ as: credentials })
  await page.goto('/dashboard')
  const refusals: string[] = []
  await page.exposeFunction('refused', (what: string) => refusals.push(what))
  await page.evaluate(`
    document.addEventListener('securitypolicyviolation', (event) => refused(event.effectiveDirective))
    document.body.insertAdjacentHTML('beforeend', '<p onclick="document.title = 1" id="hack">x</p><p style="color:red">x</p>')
    const script = document.createElement('script')
    script.textContent = 'document.title = "hacked"'
    document.body.append(script)
    const picture = document.createElement('img')
    picture.src = 'https://pictures.example/x.png'
    document.body.append(picture)
    document.getElementById('hack').click()`)
  await expect
    .poll(() => [...refusals].sort())
    .toEqual(['img-src', 'script-src-attr', 'script-src-elem', 'style-src-attr'])
  await expect.poll(() => page.title()).toContain('Overview')
  open.forgetReports()
})
