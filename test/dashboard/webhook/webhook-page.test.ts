import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { webhookEndpoints } from '../../../src/platform/db/schema.ts'
import { isEndpoint } from '../../../src/events/delivery.ts'
import { storeDeliveryError } from '../../../src/events/delivery-error.ts'
import { accountDatabase } from '../../../src/platform/db/databases.ts'
import { deliverWaitingEvents } from '../../../src/webhooks/report-account-events.ts'
import { bindings, databaseOf } from '../../service.ts'
import { receiver } from '../../webhooks/webhook-scene.ts'
import { newVisitor, url } from './visitor.ts'

const section = '/dashboard/webhook'

describe('the webhook page', () => {
  it('of a tenant with one endpoint is its form, and of one with several their list', async () => {
    const visitor = await newVisitor()
    const empty = await visitor.show(section)
    expect(empty).toContain('Send results to this URL')
    expect(empty).toMatch(/name="url"[^>]*value=""/)
    await visitor.add({ url })
    expect(await visitor.show(section)).toContain(`value="${url}"`)
    const { id } = await visitor.add({ url: `${url}/2`, description: 'Search & index' })
    const list = await visitor.show(section)
    expect(list).not.toContain('Send results to this URL')
    for (const part of ['127.0.0.1:9/hooks', 'Search &amp; index', `endpoint?id=${id}`]) expect(list).toContain(part)
    expect(await visitor.show(`${section}/endpoint?id=${id}`)).toContain(`value="${url}/2"`)
  })

  it('adds an endpoint with its events, changes it and deletes it', async () => {
    const visitor = await newVisitor()
    await visitor.add({ url })
    const form = {
      url: `${url}/b`,
      secret: '',
      enabled: 'on',
      has_options: 'yes',
      'event.garment.deleted': 'on',
      max_per_second: '7',
    }
    const added = await visitor.post(`${section}/new`, form)
    expect(added.status).toBe(303)
    const [, second] = await visitor.endpoints()
    expect(second).toMatchObject({ url: `${url}/b`, events: ['garment.deleted'], max_per_second: 7, enabled: true })
    const path = `${section}/endpoint?id=${second?.id}`
    expect(added.headers.get('location')).toBe(`${path}&done=saved`)
    const changed = await visitor.post(path, { ...form, 'event.tagging.failed': 'on', enabled: '', headers: 'X-A: 1' })
    expect(changed.status).toBe(303)
    expect((await visitor.endpoints())[1]).toMatchObject({
      events: ['tagging.failed', 'garment.deleted'],
      enabled: false,
      headers: { 'X-A': '1' },
    })
    expect((await visitor.post(`${section}/delete?id=${second?.id}`, {})).headers.get('location')).toContain('deleted')
    expect(await visitor.endpoints()).toHaveLength(1)
  })

  it('offers the events of the account for endpoints after the first one, and shows their deliveries', async () => {
    const visitor = await newVisitor()
    const offered = 'name="event.api_key.created"'
    expect(await visitor.show(section)).not.toContain(offered)
    await visitor.add({ url })
    expect(await visitor.show(section)).not.toContain(offered)
    expect(await visitor.show(`${section}/new`)).toContain(offered)
    const form = { url: `${url}/b`, secret: '', enabled: 'on', has_options: 'yes', 'event.api_key.created': 'on' }
    expect((await visitor.post(`${section}/new`, form)).status).toBe(303)
    const [, second] = await visitor.endpoints()
    expect(second?.events).toEqual(['api_key.created'])
    expect(await visitor.show(`${section}/endpoint?id=${second?.id}`)).toMatch(/event\.api_key\.created"[^>]* checked/)
    const created = await visitor.post('/dashboard/keys', { name: 'Warehouse' })
    expect(created.status).toBe(200)
    await deliverWaitingEvents(accountDatabase(bindings), databaseOf, Date.UTC(2100, 0, 1))
    expect(await visitor.show('/dashboard/deliveries')).toContain('api_key.created/')
    expect((await visitor.post(`${section}/delete?id=${second?.id}`, {})).status).toBe(303)
    expect(await visitor.endpoints()).toHaveLength(1)
  })

  it('keeps what was entered and says what is wrong, also that no event is ticked', async () => {
    const visitor = await newVisitor()
    const options = { has_options: 'yes', max_per_second: '0', description: 'Shop' }
    const refused = await visitor.post(section, { url, secret: '', ...options })
    const page = await refused.text()
    expect(refused.status).toBe(400)
    for (const part of ['Must name an event.', 'Must be at least 1.', 'value="Shop"']) expect(page).toContain(part)
    expect(page).not.toMatch(/name="event[^>]*checked/)
    expect(await visitor.endpoints()).toEqual([])
  })

  it('saves the short form of the overview without changing events', async () => {
    const visitor = await newVisitor()
    await visitor.add({ url, events: ['tagging.corrected'], max_per_second: 3 })
    expect((await visitor.post(section, { enabled: 'on', url: `${url}/new`, secret: '' })).status).toBe(303)
    expect(await visitor.endpoints()).toMatchObject([
      { url: `${url}/new`, events: ['tagging.corrected'], max_per_second: 3 },
    ])
  })

  it('asks for the secret again instead of removing it when a form comes without one, as after signing in again', async () => {
    const visitor = await newVisitor()
    const secret = 'a secret of the shop in town'
    await visitor.add({ url, secret })
    const { id } = await visitor.add({ url: `${url}/2`, secret })
    const kept = { enabled: 'on', url: `${url}/new`, has_options: 'yes', 'event.tagging.failed': 'on' }
    for (const path of [section, `${section}/endpoint?id=${id}`])
      for (const fields of [kept, { enabled: 'on', url: `${url}/new` }]) {
        const asked = await visitor.post(path, fields)
        const page = await asked.text()
        expect([path, asked.status]).toEqual([path, 400])
        for (const part of ['was not kept', `value="${secret}"`, `value="${url}/new"`]) expect(page).toContain(part)
      }
    expect(await visitor.endpoints()).toMatchObject([
      { url, secret: '…town' },
      { url: `${url}/2`, secret: '…town' },
    ])
    expect((await visitor.post(section, { ...kept, secret })).status).toBe(303)
    expect(await visitor.endpoints()).toMatchObject([{ url: `${url}/new`, secret: '…town' }, { secret: '…town' }])
  })

  it('says why the service has switched an endpoint off, and switches it on again', async () => {
    const visitor = await newVisitor()
    await visitor.add({ url })
    const disabledReason = storeDeliveryError('always_failing', { since: '2026-11-16T12:00:00.000Z' })
    await databaseOf(visitor.tenantId)
      .update(webhookEndpoints)
      .set({ enabled: false, disabledReason })
      .where(eq(webhookEndpoints.tenantId, visitor.tenantId))
    expect(await visitor.show(section)).toContain('every delivery since 2026-11-16T12:00:00.000Z has failed')
    expect(await visitor.show('/dashboard')).toContain('endpoint?id=first')
    const answer = await visitor.post(`${section}/enable`, { endpoint: 'first' })
    expect(answer.status).toBe(303)
    const page = await visitor.show(answer.headers.get('location') ?? '')
    expect(page).toContain('The endpoint is on again.')
    expect(page).not.toContain('has failed')
    expect((await visitor.endpoints())[0]?.enabled).toBe(true)
  })

  it('tells on the overview that one of several endpoints fails', async () => {
    const visitor = await newVisitor()
    await visitor.add({ url })
    const { id } = await visitor.add({ url: `${url}/failing` })
    expect(await visitor.show('/dashboard')).not.toContain('have failed for')
    await databaseOf(visitor.tenantId)
      .update(webhookEndpoints)
      .set({ failingSince: Date.now() - 7_200_000 })
      .where(isEndpoint(visitor.tenantId, id))
    const overview = await visitor.show('/dashboard')
    expect(overview).toContain('Deliveries to your system have failed for 2 h.')
    expect(overview).toContain(`/dashboard/deliveries?endpoint=${id}`)
  })

  it('sends any event with a sample garment to the endpoint that is chosen', async () => {
    const visitor = await newVisitor()
    await visitor.add({ url })
    const { id } = await visitor.add({ url: receiver.url(visitor.tenantId) })
    const page = await visitor.post(`${section}/test`, { endpoint: id, type: 'garment.deleted' })
    expect(await page.text()).toContain('Your system accepted the test event.')
    const [request] = await receiver.received(visitor.tenantId)
    expect(JSON.parse(request?.body ?? '')).toMatchObject({
      event: 'garment.deleted',
      uuid: expect.stringMatching(/^test-/),
      test: true,
    })
  })

  it('previews the body of every event', async () => {
    const visitor = await newVisitor()
    for (const event of ['webhook.test', 'tagging.completed', 'tagging.failed', 'tagging.corrected', 'garment.deleted'])
      expect(await visitor.show(`${section}/payload?event=${event}`)).toContain(
        `&quot;event&quot;: &quot;${event}&quot;`,
      )
  })

  it("shows and changes no other tenant's endpoint", async () => {
    const [visitor, owner] = [await newVisitor(), await newVisitor()]
    await owner.add({ url })
    const { id } = await owner.add({ url: `${url}/private` })
    expect(await visitor.status(`${section}/endpoint?id=${id}`)).toBe(404)
    const fields = { url: `${url}/thief`, has_options: 'yes', 'event.tagging.failed': 'on', endpoint: id }
    for (const path of [`endpoint?id=${id}`, 'enable', `delete?id=${id}`, 'test'])
      expect([path, (await visitor.post(`${section}/${path}`, fields)).status]).toEqual([path, 404])
    expect(await owner.endpoints()).toMatchObject([{ url }, { url: `${url}/private` }])
  })
})
