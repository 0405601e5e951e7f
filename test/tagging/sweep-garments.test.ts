import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { garments } from '../../src/db/schema.ts'
import { sweepStatement } from '../../src/garment/sweep-statement.ts'
import { handleDeadTaggingBatch } from '../../src/tagging/queue.ts'
import { sweepGarments } from '../../src/tagging/sweep-garments.ts'
import { bindings } from '../service.ts'
import { db, hour, minute, newScene, startMs } from './scene.ts'

describe('the sweep of garments', () => {
  it('enqueues a garment again whose message was lost, and not before its time', async () => {
    const scene = await newScene()
    await sweepGarments(scene.sweepEnv, startMs + minute / 2)
    expect(scene.enqueued()).toEqual([])
    await sweepGarments(scene.sweepEnv, startMs + 2 * minute)
    expect(scene.enqueued()).toEqual([scene.message])
  })

  it('does not multiply a backlog: each garment waits longer for its next sweep', async () => {
    const scene = await newScene()
    for (let now = startMs; now < startMs + 12 * hour; now += 5 * minute) await sweepGarments(scene.sweepEnv, now)
    expect(scene.enqueued().length).toBeGreaterThan(5)
    expect(scene.enqueued().length).toBeLessThan(20)
  })

  it('leaves a garment to its run until the lease is over', async () => {
    const scene = await newScene()
    await scene.tag({
      async tagPicture() {
        await sweepGarments(scene.sweepEnv, startMs + 1.5 * minute)
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
      await sweepGarments(scene.sweepEnv, startMs + 1)
    }
    expect(scene.enqueued().length).toBe(5)
    await scene.tag()
    expect((await scene.garment()).status).toBe('failed')
  })

  it('gives each tenant its share, and takes the rest the next time', async () => {
    const [flood, other] = [await newScene(), await newScene()]
    for (let i = 0; i < 29; i++) await flood.upload('https://a.example/', `g${i}`)
    const later = startMs + 2 * minute
    await sweepGarments(flood.sweepEnv, later, flood.tenantId)
    expect(flood.sent.tagging.filter(({ tenantId }) => tenantId === other.tenantId)).toEqual([other.message])
    expect(flood.enqueued().length).toBeGreaterThan(0)
    expect(flood.enqueued().length).toBeLessThan(30)
    await sweepGarments(flood.sweepEnv, later, flood.tenantId)
    expect(flood.enqueued().length).toBe(30)
  })

  it('reads a few rows for each garment it takes, at any number of garments', async () => {
    const scene = await newScene()
    await bindings.DB.prepare(
      `INSERT INTO garments (tenant_id, uuid, image_url, attribute, origin, status, picture_id, created_at, due_at, ended_at)
       WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
       SELECT ?1, 'g' || i, '', '{}', '', iif(i % 2, 'queuing', 'complete'), 'p', 1, iif(i % 2, i, NULL), iif(i % 2, NULL, i) FROM n`,
    )
      .bind(scene.tenantId)
      .run()
    const range = { from: scene.tenantId, to: `${scene.tenantId}x`, maxTenants: 1, maxPerTenant: 20 }
    const { meta } = await db.run(sweepStatement(range, startMs))
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
    await sweepGarments(scene.sweepEnv, startMs + 2 * minute)
    expect(scene.enqueued()).toEqual([scene.message])
  })
})
