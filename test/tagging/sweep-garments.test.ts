import { eq, inArray } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { garments } from '../../src/platform/db/schema.ts'
import { findOverdue, requeueDue } from '../../src/garments/turns.ts'
import { handleDeadTaggingBatch } from '../../src/tagging/queue.ts'
import { sweepGarments } from '../../src/tagging/sweep-garments.ts'
import { bindings } from '../service.ts'
import { db, hour, minute, newScene, startMs } from './scene.ts'
import { insertGarments } from '../support/stored-garment/insert-garments.ts'

/** Stores a garment whose message was lost. */
const overdue = { status: 'queuing', createdAt: 1, endedAt: null, dueAt: 1 } as const

const insertOverdue = async (tenantId: string, count: number) =>
  await insertGarments(db, count, (i) => ({ tenantId, uuid: `due${i}`, ...overdue }))

describe('the sweep of garments', () => {
  it('enqueues a garment again whose message was lost, and not before its time', async () => {
    const scene = await newScene()
    await sweepGarments(scene.sweepDeps, startMs + minute / 2)
    expect(scene.enqueued()).toEqual([])
    await sweepGarments(scene.sweepDeps, startMs + 2 * minute)
    expect(scene.enqueued()).toEqual([scene.message])
  })

  it('does not multiply a backlog: each garment waits longer for its next sweep', async () => {
    const scene = await newScene()
    for (let now = startMs; now < startMs + 12 * hour; now += 5 * minute) await sweepGarments(scene.sweepDeps, now)
    expect(scene.enqueued().length).toBeGreaterThan(5)
    expect(scene.enqueued().length).toBeLessThan(20)
  })

  it('leaves a garment to its run until the lease is over', async () => {
    const scene = await newScene()
    await scene.tag({
      async tagPicture() {
        await sweepGarments(scene.sweepDeps, startMs + 1.5 * minute)
        return Promise.reject(new Error('x'))
      },
    })
    expect(scene.enqueued()).toEqual([])
  })

  it('takes a garment back from a run that died, which counts as a try', async () => {
    const scene = await newScene()
    for (let died = 0; died < 5; died++) {
      await db
        .update(garments)
        .set({ status: 'processing', claimId: 'dead', tries: died + 1, leaseUntil: startMs, dueAt: startMs })
        .where(eq(garments.tenantId, scene.tenantId))
      await sweepGarments(scene.sweepDeps, startMs + 1)
    }
    expect(scene.enqueued().length).toBe(5)
    await scene.tag()
    expect((await scene.garment()).status).toBe('failed')
  })

  it('enqueues all that is overdue, and a tenant with few is not behind one with many', async () => {
    const [flood, other] = [await newScene(), await newScene()]
    await insertOverdue(flood.tenantId, 1200)
    await insertOverdue(other.tenantId, 1)
    await sweepGarments(flood.sweepDeps, startMs, '')
    const sent = flood.sent.tagging.filter(({ uuid }) => uuid.startsWith('due'))
    expect(flood.enqueued().length).toBe(1200)
    expect(sent.findIndex(({ tenantId }) => tenantId === other.tenantId)).toBeLessThan(1000)
    await db.delete(garments).where(inArray(garments.tenantId, [flood.tenantId, other.tenantId]))
  })

  it('enqueues the overdue garments of thousands of tenants at once, each once', async () => {
    const prefix = crypto.randomUUID()
    await insertGarments(db, 3000, (i) => ({ tenantId: prefix + i, ...overdue }))
    const scene = await newScene()
    await sweepGarments(scene.sweepDeps, startMs)
    await sweepGarments(scene.sweepDeps, startMs)
    const sent = scene.sent.tagging.filter(({ tenantId }) => tenantId.startsWith(prefix))
    expect([sent.length, new Set(sent.map(({ tenantId }) => tenantId)).size]).toEqual([3000, 3000])
    await bindings.DB.prepare('DELETE FROM garments WHERE tenant_id LIKE ?')
      .bind(`${prefix.slice(0, 40)}%`)
      .run()
  })

  it('enqueues nothing whose message may be in the queue still', async () => {
    const scene = await newScene()
    const oldestMessageTimestamp = new Date(startMs - 1000)
    const metrics = async () => ({ backlogCount: 10_000, backlogBytes: 1, oldestMessageTimestamp })
    const queue = { ...scene.sweepDeps.queue, metrics }
    await sweepGarments({ ...scene.sweepDeps, queue }, startMs + 10 * minute)
    expect(scene.enqueued()).toEqual([])
    oldestMessageTimestamp.setTime(startMs + 1)
    await sweepGarments({ ...scene.sweepDeps, queue }, startMs + 10 * minute)
    expect(scene.enqueued()).toEqual([scene.message])
  })

  it('reads a few rows for each garment it takes, at any number of garments', async () => {
    const scene = await newScene()
    await insertGarments(db, 5000, (i) => ({
      tenantId: scene.tenantId,
      createdAt: 1,
      ...(i % 2 === 0 ? { dueAt: null } : { status: 'queuing', endedAt: null, dueAt: i }),
    }))
    const times = { nowMs: startMs, overdueMs: startMs, maxPauseMs: minute }
    const range = { after: scene.tenantId.slice(0, -1), to: scene.tenantId, maxTenants: 1 }
    const found = await db.run(findOverdue(range, times))
    expect(found.meta.rows_read).toBeLessThan(20)
    const { meta } = await requeueDue(db, [scene.tenantId], 20, times).run()
    expect(meta.changes).toBe(20)
    expect(meta.rows_read).toBeLessThan(10 * 20)
    await db.delete(garments).where(eq(garments.tenantId, scene.tenantId))
  })
})

describe('a dead tagging message', () => {
  it('changes nothing, so that the sweep enqueues the garment again, and an invalid one is dropped', async () => {
    const scene = await newScene()
    const before = await scene.garment()
    const settled: string[] = []
    const letter = (body: unknown) => ({
      id: 'x',
      body,
      attempts: 1,
      ack: () => settled.push('ack'),
      retry: () => settled.push('retry'),
    })
    const messages = [letter(scene.message), letter({ no: 1 }), letter(null)]
    await handleDeadTaggingBatch({ messages } as unknown as MessageBatch, bindings)
    expect(settled).toEqual(['ack', 'ack', 'ack'])
    expect(await scene.garment()).toEqual(before)
    await sweepGarments(scene.sweepDeps, startMs + 2 * minute)
    expect(scene.enqueued()).toEqual([scene.message])
  })
})
