import { taggingDelivery } from '../../support/tagging-delivery.ts'
import { deliveryError, switchedOff } from '../../../src/events/delivery-error.ts'
import { and, eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { deliveries, webhookEndpoints } from '../../../src/platform/db/schema.ts'
import { configProblems } from '../../../src/webhooks/endpoints/endpoint-problems.ts'
import { putConfig } from '../../../src/webhooks/endpoints/change-endpoint.ts'
import { call, databaseOf, newTenant, someone } from '../../service.ts'
import { db, insertDeliveries, keys, localPolicy, newScene, secret, startMs } from '../webhook-scene.ts'

const path = '/garment-tagging/webhook/config'
const unset = { enabled: false, url: '', secret: '', headers: {} }
const full = { enabled: true, url: 'https://example.com/hook', secret, headers: { Authorization: 'Bearer abc' } }

describe('PUT and GET /garment-tagging/webhook/config', () => {
  it('return the defaults, then the stored configuration, which each PUT replaces completely', async () => {
    const { auth } = await newTenant()
    expect((await call('GET', path, auth)).body.data).toEqual(unset)
    const put = await call('PUT', path, auth, full)
    expect(put).toMatchObject({ status: 200, body: { status: true, data: full, error: [], message: 'success!' } })
    expect((await call('GET', path, auth)).body.data).toEqual(full)
    await call('PUT', path, auth, { enabled: false })
    expect((await call('GET', path, auth)).body.data).toEqual(unset)
  })

  it('keep one tenant’s configuration from another', async () => {
    const [one, other] = [await newTenant(), await newTenant()]
    await call('PUT', path, one.auth, full)
    expect((await call('GET', path, other.auth)).body.data).toEqual(unset)
  })

  it('store secret and headers encrypted', async () => {
    const { auth, tenantId } = await newTenant()
    await call('PUT', path, auth, { ...full, secret: 'correct horse' })
    const [row] = await databaseOf(tenantId)
      .select()
      .from(webhookEndpoints)
      .where(eq(webhookEndpoints.tenantId, tenantId))
    expect(row?.secret).toMatch(/^v1\./)
    expect(row?.headers).toMatch(/^v1\./)
    expect(JSON.stringify(row)).not.toMatch(/horse|Bearer|Authorization/)
  })

  it('refuse enabled without a URL in the specified words', async () => {
    const { auth } = await newTenant()
    for (const body of [{ enabled: true }, { enabled: true, url: '' }]) {
      expect(await call('PUT', path, auth, body)).toMatchObject({
        status: 400,
        body: {
          status: false,
          data: {},
          error: ['URL is required when webhook is enabled'],
          message: 'Invalid webhook configuration',
        },
      })
    }
    expect((await call('GET', path, auth)).body.data).toEqual(unset)
  })

  it('refuse wrong types and name each, and ignore unknown fields', async () => {
    const { auth } = await newTenant()
    const body = { enabled: 'yes', url: 5, headers: { 'X-A': 1 } }
    const { status, body: answer } = await call('PUT', path, auth, body)
    expect(status).toBe(400)
    expect(answer.error.map((problem) => problem.split(':')[0]).sort()).toEqual(['enabled', 'headers.X-A', 'url'])
    expect((await call('PUT', path, auth, { ...full, more: 'x' })).body.data).toEqual(full)
  })

  it('report all other problems together', async () => {
    const { auth } = await newTenant()
    const body = { enabled: true, url: 'ftp://example.com', secret: 'whsec_x', headers: { Host: 'a', 'X-A': 'b\nc' } }
    const { status, body: answer } = await call('PUT', path, auth, body)
    expect(status).toBe(400)
    expect(answer.message).toBe('Invalid webhook configuration')
    expect(answer.error.map((problem) => problem.split(':')[0])).toEqual([
      'url',
      'secret',
      'headers.Host',
      'headers.X-A',
    ])
  })
})

it('a webhook URL in production must not be plain http or an address of the service', () => {
  const policy = { ...localPolicy, allowLocal: false, ownHosts: ['tags.example.com'] }
  const problems = (url: string) => configProblems({ ...full, url }, policy)
  expect(problems('https://example.com/')).toEqual([])
  expect(problems('http://example.com/')).toEqual(['url: must be an https URL'])
  expect(problems('https://tags.example.com/')).toEqual(['url: must not be an address of this service'])
})

describe('changing the secret', () => {
  const former = async (scene: Awaited<ReturnType<typeof newScene>>) => {
    const row = await scene.config()
    return { has: row?.formerSecret !== null, until: row?.formerSecretUntil }
  }
  const until = startMs + 86_400_000

  it('keeps the former one for a day, even if the configuration is put again meanwhile', async () => {
    const scene = await newScene()
    expect(await former(scene)).toEqual({ has: false, until: null })
    await scene.configure({ secret: 'new' })
    expect(await former(scene)).toEqual({ has: true, until })
    await scene.configure({ secret: 'new', headers: { 'X-A': 'b' } }, startMs + 3_600_000)
    expect(await former(scene)).toEqual({ has: true, until })
  })

  it('to none stops signing', async () => {
    const scene = await newScene()
    await scene.configure({ secret: 'new' })
    await scene.configure({ secret: '' })
    expect(await former(scene)).toEqual({ has: false, until: null })
    await scene.attempt(1)
    expect((await scene.received())[0]?.headers['webhook-signature']).toBeUndefined()
  })
})

describe('switching the webhook off', () => {
  it('ends pending deliveries at once with the reason, and no others', async () => {
    const [scene, other] = [await newScene(), await newScene()]
    const values = { ...taggingDelivery, tenantId: scene.tenantId, createdAt: startMs, updatedAt: startMs }
    const rows = ['delivered', 'permanently_failed', 'pending'] as const
    for (const status of rows)
      await db.insert(deliveries).values({
        ...values,
        id: crypto.randomUUID(),
        garmentUuid: status,
        status,
        lastError: switchedOff,
        dueAt: status === 'pending' ? startMs : null,
      })
    await scene.configure({ enabled: false }, startMs + 1)
    const all = await db.select().from(deliveries).where(eq(deliveries.tenantId, scene.tenantId))
    expect(
      Object.fromEntries(
        all.map(({ garmentUuid, status, lastError }) => [garmentUuid, [status, deliveryError(lastError)]]),
      ),
    ).toEqual({
      delivered: ['delivered', 'The webhook was switched off'],
      permanently_failed: ['permanently_failed', 'The webhook was switched off'],
      pending: ['permanently_failed', 'The webhook was switched off'],
      [scene.uuid]: ['permanently_failed', 'The webhook was switched off'],
    })
    expect(await scene.row()).toMatchObject({ nextAttemptAt: null, dueAt: null, attemptCount: 0 })
    expect(await scene.counts()).toEqual({ permanently_failed: 2 })
    expect((await other.row())?.status).toBe('pending')
  })

  it('ends more deliveries than one step takes', async () => {
    const scene = await newScene()
    await insertDeliveries(scene.tenantId, 1500)
    await scene.configure({ enabled: false })
    const pending = and(eq(deliveries.tenantId, scene.tenantId), eq(deliveries.status, 'pending'))
    expect(await db.$count(deliveries, pending)).toBe(0)
    expect(await scene.counts()).toEqual({ permanently_failed: 1501 })
  })

  it('leaves a delivered one delivered whose manual redelivery was pending', async () => {
    const scene = await newScene({ delivery: { redeliveredFrom: 'delivered', attemptCount: 1 } })
    await scene.configure({ enabled: false })
    expect(await scene.row()).toMatchObject({ status: 'delivered', redeliveredFrom: null, nextAttemptAt: null })
    expect(await scene.counts()).toEqual({})
  })
})

it('a webhook configuration is not stored for a tenant that was deleted meanwhile', async () => {
  await putConfig({ db, keys, policy: localPolicy }, 'no such tenant', full, startMs, { by: someone })
  expect(await db.$count(webhookEndpoints, eq(webhookEndpoints.tenantId, 'no such tenant'))).toBe(0)
})
