import { eq, inArray } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { garments } from '../../src/platform/db/schema.ts'
import { findOverdue, requeueDue } from '../../src/garments/transitions.ts'
import { handleDeadTaggingBatch } from '../../src/tagging/queue.ts'
import { sweepGarments } from '../../src/tagging/sweep-garments.ts'
import { bindings } from '../service.ts'
import { db, hour, minute, newScene, startMs } from './scene.ts'

async function insertOverdue(tenantId: string, count: number) {
  await bindings.DB.prepare(
    `INSERT INTO garments (tenant_id, uuid, number, row_bytes, attribute, origin, status, revision, created_at, due_at)
     WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
     SELECT ?1, 'due' || i, 100000 + i, 0, '{}', '', 'queuing', 'p', 1, 1 FROM n`,
  )
    .bind(tenantId, count)
    .run()
}

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
    await bindings.DB.prepare(
      `INSERT INTO garments (tenant_id, uuid, number, row_bytes, attribute, origin, status, revision, created_at, due_at)
       WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
       SELECT ?1 || i, 'g', 100000 + i, 0, '{}', '', 'queuing', 'p', 1, 1 FROM n`,
    )
      .bind(prefix)
      .run()
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
    await bindings.DB.prepare(
      `INSERT INTO garments (tenant_id, uuid, number, row_bytes, attribute, origin, status, revision, created_at, due_at, ended_at)
       WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
       SELECT ?1, 'g' || i, 100000 + i, 0, '{}', '', iif(i % 2, 'queuing', 'complete'), 'p', 1, iif(i % 2, i, NULL), iif(i % 2, NULL, i) FROM n`,
    )
      .bind(scene.tenantId)
      .run()
    const times = { nowMs: startMs, overdueMs: startMs, maxPauseMs: minute }
    const range = { after: scene.tenantId.slice(0, -1), to: scene.tenantId, maxTenants: 1 }
    const found = await db.run(findOverdue(range, times))
    expect(found.meta.rows_read).toBeLessThan(20)
    const { meta } = await db.run(requeueDue([scene.tenantId], 20, times))
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
