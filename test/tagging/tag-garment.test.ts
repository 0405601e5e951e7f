import { and, eq } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { openDatabase } from '../../src/db/client.ts'
import { dailyCounts, deliveries, garments, webhookConfigs } from '../../src/db/schema.ts'
import { uploadGarment } from '../../src/garment/upload-garment.ts'
import { PassingFault, PermanentFault } from '../../src/vision/fault.ts'
import { handleDeadTaggingBatch } from '../../src/tagging/queue.ts'
import { sweepGarments } from '../../src/tagging/sweep-garments.ts'
import { tagGarment, type Outside } from '../../src/tagging/tag-garment.ts'
import { bindings } from '../service.ts'

const db = openDatabase(bindings.DB)
const minute = 60_000
const hour = 60 * minute

/** Queues that only note what is sent: the handlers are called by hand here, one step at a time. */
function quiet() {
  const sent: { tagging: unknown[]; webhook: unknown[] } = { tagging: [], webhook: [] }
  const queue = (list: unknown[]) => ({
    send: async (body: unknown) => void list.push(body),
    sendBatch: async (messages: { body: unknown }[]) => void list.push(...messages.map((message) => message.body)),
  })
  const env = {
    ...bindings,
    TAGGING_QUEUE: queue(sent.tagging),
    WEBHOOK_QUEUE: queue(sent.webhook),
  } as unknown as Env
  return { env, sent }
}

const tagging = {
  tag: { 'Item Type': 'T-Shirt' },
  measurements: { 'Chest (cm)': 50 },
  description: 'A T-shirt.',
  annotated: { bytes: new Uint8Array([1, 2, 3]), contentType: 'image/jpeg' },
}
const works: Outside = { fetchImage: async () => new Uint8Array(1), tagPicture: async () => tagging }
const failsWith = (error: Error): Outside => ({ ...works, fetchImage: () => Promise.reject(error) })

let tenantId: string
let message: { tenantId: string; uuid: string }

beforeEach(async () => {
  tenantId = crypto.randomUUID()
  message = { tenantId, uuid: 'g' }
  await uploadGarment(
    db,
    tenantId,
    { uuid: 'g', imageUrl: 'https://a.example/', attribute: {}, origin: 'https://s.example' },
    Date.now(),
  )
})

/** Test files share a database, so a sweep finds what other tests left behind too. */
const ours = (sent: unknown[]) => sent.filter((each) => (each as typeof message).tenantId === tenantId)

const garment = async () => (await db.select().from(garments).where(eq(garments.tenantId, tenantId)))[0]!
const delivery = async () => (await db.select().from(deliveries).where(eq(deliveries.tenantId, tenantId)))[0]
const counts = async () =>
  (await db.select().from(dailyCounts).where(eq(dailyCounts.tenantId, tenantId))).map(({ kind, count }) => [
    kind,
    count,
  ])
const switchWebhookOn = () =>
  db.insert(webhookConfigs).values({ tenantId, enabled: true, url: 'https://r.example/', headers: '', updatedAt: 0 })

describe('a run on a garment', () => {
  it('ends it complete, with its picture stored and nothing left for the sweep', async () => {
    const { env } = quiet()
    expect(await tagGarment(env, message, works)).toEqual({ retry: false })
    const row = await garment()
    expect(row).toMatchObject({ status: 'complete', tries: 1, dueAt: null, claimId: null, tag: tagging.tag })
    const picture = await bindings.PICTURES.get(`annotated/${tenantId}/${row.pictureId}`)
    expect([await picture?.bytes(), picture?.httpMetadata?.contentType]).toEqual([
      tagging.annotated.bytes,
      'image/jpeg',
    ])
    expect(await counts()).toEqual([['complete', 1]])
  })

  it('makes the delivery record with the result and enqueues its first attempt, if the webhook is on', async () => {
    const { env, sent } = quiet()
    await switchWebhookOn()
    await tagGarment(env, message, works)
    const row = (await delivery())!
    expect(row).toMatchObject({ garmentUuid: 'g', status: 'pending', attemptCount: 0, responseStatus: 0 })
    expect(sent.webhook).toEqual([{ tenantId, deliveryId: row.id, attempt: 1 }])
  })

  it('makes no delivery record if the webhook is off', async () => {
    const { env, sent } = quiet()
    await tagGarment(env, message, works)
    expect([await delivery(), sent.webhook]).toEqual([undefined, []])
  })

  it('stores result and delivery together or not at all', async () => {
    const { env } = quiet()
    await switchWebhookOn()
    const realBatch = bindings.DB.batch.bind(bindings.DB)
    const DB = {
      prepare: (query: string) => bindings.DB.prepare(query),
      batch: (statements: D1PreparedStatement[]) =>
        realBatch([...statements, bindings.DB.prepare('SELECT * FROM no_such_table')]),
    } as unknown as D1Database
    await tagGarment({ ...env, DB }, message, works)
    expect([(await garment()).status, await delivery(), await counts()]).toEqual(['queuing', undefined, []])
  })

  it('fails it at once for a permanent fault, and tells the receiver so', async () => {
    const { env, sent } = quiet()
    await switchWebhookOn()
    expect(await tagGarment(env, message, failsWith(new PermanentFault('No garment.')))).toEqual({ retry: false })
    expect(await garment()).toMatchObject({ status: 'failed', failureReason: 'No garment.', dueAt: null, tries: 1 })
    expect(sent.webhook.length).toBe(1)
    expect(await counts()).toEqual([['failed', 1]])
  })

  it('tries a passing fault five times with growing pauses, then fails with its reason', async () => {
    const { env } = quiet()
    const outcomes = []
    for (let i = 0; i < 5; i++)
      outcomes.push(await tagGarment(env, message, failsWith(new PassingFault('Host is down.'))))
    expect(outcomes).toEqual([
      ...[5, 20, 60, 120].map((delaySeconds) => ({ retry: true, delaySeconds })),
      { retry: false },
    ])
    expect(await garment()).toMatchObject({
      status: 'failed',
      failureReason: 'Host is down. It was tried 5 times.',
      tries: 5,
    })
  })

  it('tells nothing of an inner fault', async () => {
    const { env } = quiet()
    for (let i = 0; i < 5; i++) await tagGarment(env, message, failsWith(new Error('secret detail')))
    const { status, failureReason } = await garment()
    expect(status).toBe('failed')
    expect(failureReason).not.toContain('secret')
  })

  it('is made once when its message comes twice, in turn or at once', async () => {
    const { env, sent } = quiet()
    await switchWebhookOn()
    let runs = 0
    const counting: Outside = { ...works, tagPicture: async () => (runs++, tagging) }
    await Promise.all([tagGarment(env, message, counting), tagGarment(env, message, counting)])
    await tagGarment(env, message, counting)
    expect([runs, sent.webhook.length, await counts()]).toEqual([1, 1, [['complete', 1]]])
  })

  it('that lost its lease writes nothing over the run that followed', async () => {
    const { env } = quiet()
    const slow: Outside = {
      ...works,
      tagPicture: async () => {
        await sweepGarments(env, Date.now() + 10 * minute)
        await tagGarment(env, message, failsWith(new PermanentFault('The second run.')))
        return tagging
      },
    }
    await tagGarment(env, message, slow)
    expect(await garment()).toMatchObject({ status: 'failed', failureReason: 'The second run.', tag: null })
    expect(await counts()).toEqual([['failed', 1]])
  })

  it('does nothing for a garment or tenant that is gone', async () => {
    const { env } = quiet()
    await db.delete(garments).where(eq(garments.tenantId, tenantId))
    expect(await tagGarment(env, message, works)).toEqual({ retry: false })
  })

  it('replaces the delivery of the failure when a garment is uploaded again and completes', async () => {
    const { env, sent } = quiet()
    await switchWebhookOn()
    await tagGarment(env, message, failsWith(new PermanentFault('x')))
    const first = (await delivery())!
    await uploadGarment(
      db,
      tenantId,
      { uuid: 'g', imageUrl: 'https://a.example/2', attribute: {}, origin: 'https://s.example' },
      Date.now(),
    )
    await tagGarment(env, message, works)
    const second = (await delivery())!
    expect(second.id).not.toBe(first.id)
    expect([second.status, second.attemptCount, sent.webhook.length]).toEqual(['pending', 0, 2])
  })
})

describe('the sweep', () => {
  it('enqueues a garment again whose message was lost, and not before its time', async () => {
    const { env, sent } = quiet()
    await sweepGarments(env, Date.now() + minute / 2)
    expect(ours(sent.tagging)).toEqual([])
    await sweepGarments(env, Date.now() + 2 * minute)
    expect(ours(sent.tagging)).toEqual([message])
  })

  it('does not multiply a backlog: each garment waits longer for its next sweep', async () => {
    const { env, sent } = quiet()
    const startedAt = Date.now()
    for (let now = startedAt; now < startedAt + 12 * hour; now += minute) await sweepGarments(env, now)
    expect(ours(sent.tagging).length).toBeGreaterThan(5)
    expect(ours(sent.tagging).length).toBeLessThan(20)
  }, 30_000)

  it('takes a garment back from a run that died, which counts as a try', async () => {
    const { env, sent } = quiet()
    for (let died = 0; died < 5; died++) {
      await db
        .update(garments)
        .set({ status: 'processing', claimId: 'dead', tries: died + 1, dueAt: Date.now() - 1 })
        .where(eq(garments.tenantId, tenantId))
      await sweepGarments(env, Date.now())
    }
    expect(ours(sent.tagging).length).toBe(5)
    await tagGarment(env, message, works)
    expect((await garment()).status).toBe('failed')
  })

  it('ends what could not be processed within a day', async () => {
    const { env } = quiet()
    await sweepGarments(env, Date.now() + 25 * hour)
    expect((await garment()).status).toBe('failed')
  })

  it('goes through more than one step of overdue garments', async () => {
    const { env, sent } = quiet()
    const row = {
      imageUrl: 'x',
      attribute: '{}',
      origin: 'x',
      status: 'queuing' as const,
      pictureId: 'x',
      dueAt: 1,
      createdAt: Date.now(),
    }
    const many = crypto.randomUUID()
    for (let i = 0; i < 250; i++) await db.insert(garments).values({ tenantId: many, uuid: `${i}`, ...row })
    await sweepGarments(env, Date.now())
    const uuids = sent.tagging.map((each) => each as typeof message).filter((each) => each.tenantId === many)
    expect(new Set(uuids.map(({ uuid }) => uuid)).size).toBe(250)
  }, 30_000)
})

describe('a dead letter', () => {
  it('ends its garment failed, and a message that means nothing is dropped', async () => {
    const { env } = quiet()
    const settled: string[] = []
    const letter = (body: unknown) => ({
      id: 'x',
      body,
      attempts: 1,
      ack: () => settled.push('ack'),
      retry: () => settled.push('retry'),
    })
    await handleDeadTaggingBatch(
      { messages: [letter(message), letter({ no: 1 }), letter(null)] } as unknown as MessageBatch,
      env,
    )
    expect(settled).toEqual(['ack', 'ack', 'ack'])
    expect(
      await db
        .select()
        .from(garments)
        .where(and(eq(garments.tenantId, tenantId), eq(garments.status, 'failed'))),
    ).toHaveLength(1)
  })
})
