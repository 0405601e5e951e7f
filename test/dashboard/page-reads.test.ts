import { createExecutionContext } from 'cloudflare:test'
import { beforeAll, describe, expect, it } from 'vitest'
import { app } from '../../src/app.ts'
import { weekOf } from '../../src/garments/review/review-outcomes.ts'
import { updateDoubt } from '../garments/review/complete-garment.ts'
import { bindings, databaseOf, newTenant, replaceDatabases } from '../service.ts'
import { countDatabase } from '../support/count-database.ts'
import { storedResult } from '../support/stored-result.ts'
import { sessionOf } from './session-of.ts'
import { insertGarments } from '../support/stored-garment/insert-garments.ts'

const importId = crypto.randomUUID()

/** 20,000, or the environment variable GARMENTS. A million takes some minutes. */
const count = (bindings as Env & { readonly TEST_GARMENTS: number }).TEST_GARMENTS

describe('a dashboard page', () => {
  const paths = [
    '/dashboard',
    '/dashboard/garments',
    '/dashboard/garments?status=failed',
    '/dashboard/garments?from=1970-01-01',
    '/dashboard/garments?doubtful=yes',
    '/dashboard/garments?status=complete',
    '/dashboard/garments?status=waiting',
    // Cursors far beyond the first page.
    ...['status=complete', 'doubtful=yes'].map((filter) => `/dashboard/garments?${filter}&cursor=1036_g1036`),
    '/dashboard/garments?sort=oldest',
    '/dashboard/garments?sort=doubt&cursor=1~1036_g1036',
    '/dashboard/garment?uuid=g7',
    '/dashboard/garment?uuid=g1036&sort=oldest',
    '/dashboard/garment?uuid=g1036&doubtful=yes',
    '/dashboard/garment?uuid=g1036&search=g10',
    '/dashboard/bin',
    '/dashboard/build',
    '/dashboard/review',
    '/dashboard/review?uuid=g7',
    '/dashboard/accuracy',
    '/dashboard/accuracy?attribute=Colour',
    '/dashboard/export',
    '/dashboard/export/columns',
    '/dashboard/upload',
    '/dashboard/webhook',
    '/dashboard/webhook/new',
    '/dashboard/webhook/payload?event=garment.deleted',
    '/dashboard/deliveries?from=1970-01-01T00:00',
    '/dashboard/deliveries?endpoint=first&status=pending',
    '/dashboard/deliveries',
    '/dashboard/deliveries?status=delivered',
    '/dashboard/deliveries?status=pending',
    '/dashboard/deliveries?status=failed',
    '/dashboard/delivery?uuid=g7',
    '/dashboard/keys',
    '/dashboard/usage',
    '/dashboard/tenant',
    '/dashboard/imports',
    `/dashboard/import/${importId}`,
    `/dashboard/import/${importId}?status=failed&cursor=1000`,
    `/dashboard/import/${importId}/lines?after=1000`,
  ]
  let session: Record<string, string>
  let domain: string

  beforeAll(async () => {
    const tenant = await newTenant()
    domain = tenant.domain
    session = await sessionOf(tenant.merchant.id)
    const numbers = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)'
    const { $client: database } = databaseOf(tenant.tenantId)
    const resultOf = (confidence: string) =>
      storedResult({
        tag: {
          'Item Type': 'Skirt',
          'Item Type Confidence': 'High',
          Pattern: 'Plain',
          'Pattern Confidence': confidence,
        },
        measurements: { 'Waist (cm)': 37 },
      })
    const insert = async (statement: string) => await database.prepare(statement).bind(count, tenant.tenantId).run()
    // Every fourth garment is in doubt, every fifth failed, every seventh corrected, and the last ones are not tagged
    // yet.
    const results = { high: resultOf('High'), low: resultOf('Low') }
    await insertGarments(databaseOf(tenant.tenantId), count, (i) => {
      const row = { tenantId: tenant.tenantId, attribute: JSON.stringify({ Brand: i % 11 === 0 ? 'Bob' : 'Ann' }) }
      if (i > count - 500) return { ...row, status: 'queuing', endedAt: null, dueAt: i + 60 }
      if (i % 5 === 0) return { ...row, status: 'failed' }
      const corrections = i % 7 === 0 ? '{"tag":{},"measurements":{}}' : null
      return { ...row, result: i % 4 === 0 ? results.low : results.high, corrections }
    })
    await updateDoubt(tenant.tenantId)
    await insert(
      `INSERT INTO import_lines (tenant_id, import_id, line, uuid, pictures, row_bytes, attribute, revision, status)
       ${numbers} SELECT ?, '${importId}', i, 'g' || i, NULL, 0, '{}', 'p' || i, iif(i % 1000 = 0, 'failed', 'complete') FROM n`,
    )
    await insert(
      `INSERT INTO imports (id, tenant_id, name, origin, created_at, stored_at, ended_at)
       ${numbers} SELECT iif(i = 1, '${importId}', 'i' || i), ?, 'stock.csv', '', i, i, i FROM n`,
    )
    await insert(
      `INSERT INTO deliveries (id, tenant_id, garment_uuid, kind, endpoint_id, status, attempt_count, due_at, created_at, updated_at)
       ${numbers} SELECT 'd' || i, ?, 'g' || i, 'tagging', 'first', iif(i % 5 = 0, 'pending', 'delivered'), 1, iif(i % 5 = 0, i, NULL), i, i FROM n`,
    )
    await insert(
      `INSERT INTO delivery_attempts
         (delivery_id, attempt, tenant_id, at, duration_ms, response_status, error, response_body, trigger)
       ${numbers} SELECT d.id, 1, d.tenant_id, i, 5, 200, NULL, 'ok', 'automatic' FROM n
         CROSS JOIN deliveries d ON d.tenant_id = ? AND d.garment_uuid = 'g' || i AND d.kind = 'tagging'`,
    )
    await database
      .prepare(
        `INSERT INTO review_counts (tenant_id, week, counts)
       WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
       SELECT ?, date(?, (-7 * i) || ' days'), '{"Colour Low stood":3,"Colour Low changed":1}' FROM n`,
      )
      .bind(tenant.tenantId, weekOf(Date.now()))
      .run()
  })

  /** A filter by status also reads the garments that it omits, because one index contains all ended garments. */
  const mostRows = (path: string) => {
    // The overview counts stages among the 1,000 newest garments, and searches 500 for the oldest listings.
    if (path === '/dashboard') return 2300
    // Each complete line of an import is one row, with a look-up of its garment.
    if (path.includes('/lines?')) return 120
    // Each listed garment is one row, with a look-up of its pictures.
    return path.includes('status=complete') ? 170 : 96
  }

  it.each(paths)(`at %s needs at most two round trips and few rows, with ${count} garments`, async (path) => {
    let trips = 0
    const counts = { statements: 0, rowsRead: 0, rowsWritten: 0 }
    const databases = replaceDatabases((database) => countDatabase(database, () => trips++, counts).DB)
    const env = { ...bindings, ...databases }
    const request = new Request(`http://service.test${path}`, { headers: session })
    const response = await app.fetch(request, env, createExecutionContext())
    expect(response.status).toBe(200)
    if (count > 20_000) console.log(`${path}: ${trips} round trips, ${counts.rowsRead} rows`)
    expect(trips).toBeLessThanOrEqual(2)
    expect(counts.rowsRead).toBeLessThanOrEqual(mostRows(path))
  })

  it('does not count against the rate limit of the API', async () => {
    const gate = bindings.GATE.getByName(domain)
    expect((await gate.usage()).admitted).toEqual([])
  })
})
