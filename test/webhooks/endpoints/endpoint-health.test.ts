import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { openDatabase } from '../../../src/platform/db/database.ts'
import { listEndpointHealth, maxPending } from '../../../src/webhooks/endpoints/endpoint-health.ts'
import { bindings } from '../../service.ts'
import { countDatabase } from '../../support/count-database.ts'
import { db, startMs } from '../webhook-scene.ts'
import { newEndpointScene } from './scene.ts'

const hour = 3_600_000

interface Rows {
  readonly count: number
  readonly status: 'delivered' | 'permanently_failed' | 'pending'
  readonly endpoint: string
  readonly error?: string | null
  readonly at?: number
}

/** Deliveries with an attempt each; the i-th took i ms and was created i ms before `at`. */
async function insertTried(tenantId: string, { count, status, endpoint, error = null, at = startMs }: Rows) {
  const dueAt = status === 'pending' ? at + hour : null
  await db.run(sql`
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
    INSERT INTO deliveries (id, tenant_id, garment_uuid, kind, endpoint_id, status, attempt_count, due_at, created_at, updated_at)
    SELECT ${tenantId} || ${status} || ${endpoint} || i, ${tenantId}, ${status} || i, 'tagging', ${endpoint}, ${status}, 1,
      ${dueAt} + i, ${at} - i, 1 FROM n`)
  await db.run(sql`
    INSERT OR IGNORE INTO delivery_attempts
      (delivery_id, attempt, tenant_id, at, duration_ms, response_status, error, response_body, trigger)
    SELECT id, 1, tenant_id, created_at, ${at} - created_at, 200, ${error}, NULL, 'automatic' FROM deliveries
    WHERE tenant_id = ${tenantId} AND endpoint_id = ${endpoint} AND status = ${status} AND attempt_count = 1`)
}

describe('the health of endpoints', () => {
  it('has for each its success rate, 95th percentile and oldest pending delivery', async () => {
    const scene = await newEndpointScene({ delivery: { createdAt: startMs - 3 * hour } })
    const { tenantId } = scene
    const [good, bad, idle] = [await scene.add('good'), await scene.add('bad'), await scene.add('idle')]
    await insertTried(tenantId, { count: 100, status: 'delivered', endpoint: good })
    await insertTried(tenantId, { count: 30, status: 'permanently_failed', endpoint: bad, error: 'http_status' })
    await insertTried(tenantId, { count: 10, status: 'delivered', endpoint: bad })
    await insertTried(tenantId, { count: 5, status: 'pending', endpoint: bad, error: 'http_status' })
    const health = await listEndpointHealth(db, tenantId, startMs)
    expect(health[0]?.id).toBe('first')
    const healthOf = (id: string) => health.find((each) => each.id === id)?.health
    expect(['first', good, bad, idle].map(healthOf)).toMatchObject([
      { attempts: 0, accepted: 0, durationMs: null, pending: 1, oldestPendingAt: startMs - 3 * hour },
      { attempts: 100, accepted: 100, durationMs: 95, pending: 0, oldestPendingAt: null },
      { attempts: 45, accepted: 10, durationMs: 28, pending: 5, oldestPendingAt: startMs - 5 },
      { attempts: 0, accepted: 0, durationMs: null, pending: 0, oldestPendingAt: null },
    ])
  })

  it('leaves out attempts that are older than a day, endpoints without a URL, and other tenants', async () => {
    const [scene, other] = [await newEndpointScene(), await newEndpointScene()]
    const old = { count: 3, endpoint: 'first', at: startMs - 25 * hour } as const
    await insertTried(scene.tenantId, { ...old, status: 'permanently_failed' })
    await insertTried(scene.tenantId, { ...old, status: 'delivered' })
    await insertTried(scene.tenantId, { count: 3, status: 'delivered', endpoint: 'deleted' })
    await insertTried(other.tenantId, { count: 3, status: 'delivered', endpoint: 'first' })
    const health = await listEndpointHealth(db, scene.tenantId, startMs)
    expect(health.map(({ id, health: { attempts } }) => [id, attempts])).toEqual([['first', 0]])
  })

  it('reads a bounded number of rows, however many deliveries there are', async () => {
    const scene = await newEndpointScene()
    const id = await scene.add('busy')
    for (const status of ['delivered', 'permanently_failed', 'pending'] as const)
      for (const endpoint of ['first', id]) await insertTried(scene.tenantId, { count: 3000, status, endpoint })
    const { DB, counts } = countDatabase(bindings.DB)
    const [, busy] = await listEndpointHealth(openDatabase(DB), scene.tenantId, startMs)
    expect(busy?.health.pending).toBe(maxPending)
    expect(counts.rowsRead).toBeLessThan(10_000)
  })
})
