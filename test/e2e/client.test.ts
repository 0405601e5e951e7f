import { assert, describe, expect, inject, it } from 'vitest'
import { createClient, GarmentTaggingError, verifyWebhook, type ClientOptions } from '../../src/client/index.ts'
import { makeFlatLay } from '../../training/flat-lay/make-flat-lay.ts'
import { encodeJpeg } from '../../src/vision/image/encode-jpeg.ts'
import { operatorToken } from './support/start-shared-service.ts'
import { useHttpHost } from './support/use-http-host.ts'
import type { Received } from '../support/http-host.ts'

const serviceUrl = inject('sharedServiceUrl')
const credentials = { email: 'client@example.com', password: 'a long password' }
const { picture } = makeFlatLay(11, { width: 300, height: 400 })

const host = await useHttpHost()

/** Sent requests, as method and path. */
const sent: string[] = []

const newClient = (options: Partial<ClientOptions> = {}) =>
  createClient({
    url: serviceUrl,
    fetch: async (url, init) => {
      sent.push(`${init.method} ${new URL(url).pathname}`)
      return await fetch(url, init)
    },
    ...options,
  })

async function statusOf(call: Promise<unknown>): Promise<number> {
  const error = await call.then(() => null).catch((reason: unknown) => reason)
  assert(error instanceof GarmentTaggingError)
  return error.status
}

async function receivedWebhook(name: string, index: number): Promise<Received> {
  await expect.poll(() => host.received(name).length).toBeGreaterThan(index)
  const received = host.received(name)[index]
  assert(received !== undefined)
  return received
}

describe('the client, against a running service', () => {
  it('does with every endpoint what its methods say', async () => {
    const anyone = newClient()
    await anyone.checkHealth()
    const merchant = await anyone.signUp({ ...credentials, name: 'Ann' })
    const { token, user } = await anyone.signIn(credentials)
    expect(user).toEqual(merchant)
    const owner = newClient({ token })
    const settings = { timezone: 'Europe/Berlin', currency: 'EUR' }
    const tenant = await owner.createTenant({ name: 'Ann', domain: 'client.example', settings })
    expect(await owner.getTenant()).toEqual({ ...tenant, settings })
    const change = { description: 'Dresses', settings: { currency: 'GBP' } }
    expect(await owner.changeTenant(change)).toEqual({
      ...tenant,
      ...change,
      settings: { ...settings, currency: 'GBP' },
    })
    expect((await owner.getUsage()).garments).toEqual({ used: 0, limit: 200_000 })
    expect(await statusOf(owner.deleteMerchant())).toBe(409)
    const key = await owner.createApiKey({ name: 'shop' })
    expect(await owner.listApiKeys()).toMatchObject([{ id: key.id, prefix: key.prefix, last_used_at: null }])

    const shop = newClient({ apiKey: key.api_key, domain: tenant.domain })
    const config = { enabled: true, url: `${host.origin}/to/client`, secret: 'a secret', headers: { 'X-Shop': 'Ann' } }
    expect(await shop.putWebhookConfig(config)).toEqual(config)
    expect(await shop.getWebhookConfig()).toEqual(config)
    const events = ['tagging.completed', 'tagging.failed', 'tagging.corrected'] as const
    expect((await shop.changeEndpoint('first', { events: [...events] })).events).toEqual(events)
    expect(await shop.sendTestEvent()).toMatchObject({ status: 'delivered', response_status: 200 })
    const test = await receivedWebhook('client', 0)
    expect((await verifyWebhook(test.body, test.headers, config.secret)).event).toBe('webhook.test')

    const added = await shop.createEndpoint({ url: `${host.origin}/to/second`, events: ['tagging.failed'] })
    expect((await shop.listEndpoints()).endpoints.map(({ id }) => id)).toEqual(['first', added.id])
    const changed = await shop.changeEndpoint(added.id, { description: 'Failures', max_per_second: 5 })
    expect(await shop.getEndpoint(added.id)).toEqual(changed)
    expect(await shop.sendTestEvent({ type: 'tagging.failed', endpoint: added.id })).toMatchObject({
      status: 'delivered',
    })
    expect((await receivedWebhook('second', 0)).headers['x-webhook-event']).toBe('tagging.failed')
    await shop.deleteEndpoint(added.id)
    expect(await statusOf(shop.getEndpoint(added.id))).toBe(404)
    const startedAt = new Date().toISOString()
    const image_url = host.store('garment.jpg', encodeJpeg(picture))
    const garment = await shop.uploadAndWait({ uuid: 'a/1', image_url, attribute: { Material: 'Cotton' } })
    expect(garment).toMatchObject({ uuid: 'a/1', complete: true, status: 'complete', tag: { Material: 'Cotton' } })
    expect(await shop.query('a/1')).toEqual(garment)
    expect(await statusOf(shop.query('none'))).toBe(404)
    expect(await statusOf(shop.upload({ uuid: 'a/1', image_url: `${image_url}?other` }))).toBe(409)
    const tagged = await receivedWebhook('client', 1)
    const event = await verifyWebhook(tagged.body, tagged.headers, config.secret)
    assert(event.event === 'tagging.completed')
    expect([event.uuid, event.tag]).toEqual(['a/1', garment.tag])
    expect(await shop.correct('a/1', { tag: { Brand: 'Ünique' } })).toMatchObject({ corrected: ['Brand'] })
    expect((await receivedWebhook('client', 2)).headers['x-webhook-event']).toBe('tagging.corrected')

    await expect.poll(async () => (await shop.getDelivery('a/1')).status).toBe('delivered')
    const { attempts } = await shop.listAttempts('a/1', { limit: 10 })
    expect(attempts.length).toBeGreaterThanOrEqual(1)
    expect((await shop.redeliver('a/1')).garment_uuid).toBe('a/1')
    await receivedWebhook('client', 3)
    await expect.poll(async () => (await shop.getDelivery('a/1')).status).toBe('delivered')
    const range = { from: startedAt, to: new Date(Date.now() + 60_000).toISOString() }
    expect(await shop.redeliverRange(range)).toMatchObject({ ...range, found: 2, has_ended: false })
    expect(await shop.getRedelivery()).toMatchObject(range)

    await shop.uploadAndWait({ uuid: 'a/2', image_url })
    const found: string[] = []
    for await (const { uuid } of shop.garments({ q: 'unique', limit: 1 })) found.push(uuid)
    expect(found).toEqual(['a/1'])
    const [newest, older] = [await shop.garmentsPage({ limit: 1 }), await shop.garmentsPage({ limit: 2 })]
    expect([newest, older].map(({ garments }) => garments.map(({ uuid }) => uuid))).toEqual([['a/2'], ['a/2', 'a/1']])
    expect(await shop.garmentsPage({ limit: 1, cursor: newest.next_cursor })).toMatchObject({
      garments: [{ uuid: 'a/1' }],
    })

    const page = await shop.exportPage({ limit: 1 })
    expect([page.garments.map(({ uuid }) => uuid), page.next_cursor]).toEqual([['a/1'], expect.any(String)])
    expect(page.garments[0]?.machine?.tag).not.toHaveProperty('corrected')
    const second = await shop.exportCsvPage({ limit: 1, cursor: page.next_cursor })
    expect(second.csv).toMatch(/^uuid,exported_at,status,.*\r\na\/2,[^,]*,complete,/)
    const first = await shop.exportCsvPage({ limit: 1 })
    expect([first.next_cursor, second.next_cursor]).toEqual([page.next_cursor, null])
    const forShop = await shop.exportShopPage('shopify', { limit: 1 })
    expect(forShop.csv).toMatch(/^Title,URL handle,/)
    expect([forShop.omitted, forShop.next_cursor]).toEqual([0, page.next_cursor])
    expect(await shop.exportReport('google', { limit: 1 })).toMatchObject({ written: 0, omitted: [{ uuid: 'a/1' }] })
    const all: string[] = []
    for await (const { uuid } of shop.exportGarments({ from: startedAt, status: 'complete' })) all.push(uuid)
    expect(all).toEqual(['a/1', 'a/2'])

    const operator = newClient({ operatorToken })
    const { tagging } = await operator.getStatus()
    expect(tagging.paused).toBe(false)
    expect(await operator.putPause({ tagging: true, tenant: tenant.id })).toMatchObject({ tagging: true })
    expect(await operator.putPause({ tagging: false, tenant: tenant.id })).toMatchObject({ tagging: false })
    const limits = { tenant: tenant.id, max_garments: 500 }
    expect(await operator.putTenantLimits(limits)).toMatchObject(limits)
    expect(await operator.putTenantLimits({ ...limits, max_garments: null })).toMatchObject({ max_garments: null })
    await operator.retag({ from: '2020-01-01T00:00:00Z', to: '2020-01-02T00:00:00Z' })
    const restored = { database: 1, from: new Date(Date.now() + 86_400_000).toISOString() }
    expect(await operator.repeatDeletions({ ...restored, cursor: 'deleted/z' })).toEqual({
      count: 0,
      next_cursor: null,
    })
    expect((await operator.resetPassword(credentials.email)).url).toContain('/dashboard/reset?token=')

    expect((await shop.getTaxonomy()).measurements).toContain('Chest (cm)')
    await shop.uploadFile({ uuid: 'a/3', image: new Blob([encodeJpeg(picture)]), attribute: { Brand: 'Ünique' } })
    expect(await shop.wait('a/3')).toMatchObject({ complete: true, tag: { Brand: 'Ünique' } })
    await shop.addPicture('a/3', { url: image_url, kind: 'back' })
    await shop.addPicture('a/3', {
      image: new Blob([encodeJpeg({ ...picture, height: picture.height - 1 })]),
      kind: 'label',
    })
    const { images } = await shop.wait('a/3')
    expect(images.map(({ kind, failure_code }) => [kind, failure_code])).toEqual([
      ['front', ''],
      ['back', ''],
      ['label', ''],
    ])
    const [, , third] = images
    const apart = await shop.split('a/3', { uuid: 'a/5', images: [third?.id ?? ''] })
    expect(apart).toMatchObject({ uuid: 'a/5', images: [{ id: third?.id, kind: 'label' }], stage: 'draft' })
    const { numbers } = await shop.reserveNumbers(2)
    expect(numbers).toEqual([apart.number + 1, apart.number + 2])
    await shop.uploadFiles({
      uuid: 'a/4',
      images: [
        { image: new Blob([encodeJpeg(picture)]), name: 'front.jpg' },
        { image: new Blob([encodeJpeg({ ...picture, height: picture.height - 2 })]), kind: 'label' },
      ],
      attribute: { Brand: 'Ann' },
    })
    const several = await shop.wait('a/4')
    expect(several).toMatchObject({ complete: true, tag: { Brand: 'Ann' } })
    expect(several.images.map(({ kind, height }) => [kind, height])).toEqual([
      ['front', picture.height],
      ['label', picture.height - 2],
    ])
    const lines = [
      { uuid: 'a/1', image_url, attribute: { Material: 'Cotton' } },
      { uuid: 'i', image_url: 'ftp://x' },
    ]
    const stored = await shop.importGarments(lines, { name: 'stock' })
    expect(stored).toMatchObject({ accepted: 1, refused: 1 })
    await shop.pauseImport(stored.id, false)
    await expect.poll(async () => (await shop.getImport(stored.id)).done).toBe(true)
    const report = await shop.getImport(stored.id, { status: 'refused', limit: 1 })
    expect([report.totals.unchanged, report.lines[0]?.uuid]).toEqual([1, 'i'])
    expect((await shop.importsPage({ limit: 1 })).imports).toMatchObject([{ id: stored.id, name: 'stock' }])
    const csv = `Key,image_url,Material\na/1,${image_url},Cotton\n`
    expect((await shop.importGarments(csv, { columns: { Key: 'uuid' }, overwrite: true })).accepted).toBe(1)
    expect(await shop.correct('a/3', { attribute: { Brand: 'Ann' } })).toMatchObject({ tag: { Brand: 'Ann' } })
    await shop.delete('a/3')
    expect(await statusOf(shop.delete('a/3'))).toBe(404)
    await owner.revokeApiKey(key.id)
    expect(await statusOf(shop.query('a/1'))).toBe(401)
    await expect
      .poll(
        async () =>
          await owner.deleteTenant().then(
            () => 200,
            () => 409,
          ),
      )
      .toBe(200)
    expect(await statusOf(owner.getTenant())).toBe(404)
    await owner.changePassword({ password: credentials.password, new_password: 'another long one' })
    expect(await statusOf(owner.getTenant())).toBe(401)
    const again = { ...credentials, password: 'another long one' }
    await newClient({ token: (await anyone.signIn(again)).token }).signOut()
    await newClient({ token: (await anyone.signIn(again)).token }).deleteMerchant()
    expect(await statusOf(anyone.signIn(again))).toBe(401)
  })

  it('has a method for every endpoint', async () => {
    const { paths } = (await (await fetch(`${serviceUrl}/openapi.json`)).json()) as { paths: Record<string, object> }
    const documented = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    const operator = [
      'GET /status',
      'PUT /operator/pause',
      'PUT /operator/tenant',
      'POST /operator/retag',
      'POST /operator/repeat-deletions',
      'POST /operator/password-reset',
    ]
    // Pictures are read from their URLs in the result.
    const isPicture = (endpoint: string) =>
      /^GET \/garment-tagging\/(annotated|copy|cutout|original|upright)\//.test(endpoint)
    const missing = [...new Set([...documented, ...operator])].filter((endpoint) => {
      if (isPicture(endpoint)) return false
      const pattern = new RegExp(`^${endpoint.replaceAll(/\{\w+\}/g, '[^/]+')}$`)
      return !sent.some((request) => pattern.test(request))
    })
    expect(missing).toEqual([])
  })
})
