import { closeSync, fsyncSync, openSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { storedResult } from '../../support/stored-result.ts'

export interface Filling {
  /** Expired garments of the tenant `large`, each with a delivery and an attempt. */
  readonly rows: number
  /** Overdue deliveries of `large`. */
  readonly pending: number
  readonly expiredAt: number
  readonly nowMs: number
}

const youngTenants = 100
const youngGarments = 200

const result = storedResult({
  measurements: { 'Chest (cm)': 50 },
  tag: {
    'Item Type': 'T-Shirt',
    'Item Type Confidence': 'High',
    'Item Type Alternatives': ['Shirt', 'Polo Shirt', 'Sweatshirt'],
    Colour: 'Navy',
    'Colour Confidence': 'Medium',
    'Colour Alternatives': ['Blue', 'Black', 'Grey'],
    Fit: 'Regular',
    'Fit Confidence': 'Low',
  },
})

/** Rows of about the real size, made by SQL. The uuids are random, so that what expires together is scattered. */
export function fillDatabase(file: DatabaseSync, { rows, pending, expiredAt, nowMs }: Filling): void {
  file.exec('PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF; PRAGMA cache_size = -1000000; BEGIN')
  const numbers = (count: number) =>
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`
  const garments = (tenant: string, count: number, at: number) =>
    file.exec(`INSERT INTO garments (tenant_id, uuid, number, row_bytes, attribute, origin, status, revision, created_at, ended_at, result)
      ${numbers(count)} SELECT ${tenant}, lower(hex(randomblob(16))), 100000 + i, 0,
        '{"Brand":"Acme","Gender":"Women"}', 'https://service.example', iif(i % 10, 'complete', 'failed'),
        lower(hex(randomblob(16))), ${at} + i, ${at} + i, '${result}'
      FROM n`)
  const deliveries = (tenant: string, count: number, status: string, at: number, dueAt: string) =>
    file.exec(`INSERT INTO deliveries (id, tenant_id, garment_uuid, kind, endpoint_id, status, due_at, created_at, updated_at)
      ${numbers(count)} SELECT lower(hex(randomblob(16))), '${tenant}', lower(hex(randomblob(16))), 'tagging', 'first', '${status}', ${dueAt},
        ${at} + i, ${at} + i FROM n`)
  for (const tenant of ['large', 'other', ...Array.from({ length: youngTenants }, (_, i) => `young-${i}`)]) {
    file.exec(`INSERT INTO merchants (id, company, created_at) VALUES ('${tenant}', '', 0);
      INSERT INTO tenant_state (tenant_id, domain, created_at) VALUES ('${tenant}', '${tenant}', 0);
      INSERT INTO tenants (id, merchant_id, domain, name, description, settings, created_at)
      VALUES ('${tenant}', '${tenant}', '${tenant}', '', '', '{}', 0)`)
    if (tenant.startsWith('young')) garments(`'${tenant}'`, youngGarments, nowMs - 1000)
  }
  garments(`'large'`, rows, expiredAt)
  deliveries('large', rows, 'delivered', expiredAt, 'NULL')
  file.exec(`INSERT INTO delivery_attempts (delivery_id, attempt, tenant_id, at, duration_ms, response_status, error,
      response_body, "trigger")
    SELECT id, 1, tenant_id, created_at, 100, 200, NULL, NULL, 'automatic' FROM deliveries`)
  deliveries('large', pending, 'pending', nowMs - 3600_000, `${nowMs - 3600_000} + i`)
  deliveries('other', 1, 'pending', nowMs - 1000, `${nowMs - 1000}`)
  // Like D1: a cache of 2 MB, and a write-ahead log.
  file.exec('COMMIT; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -2000')
  // So that the first statement that moves the log into the file does not wait for all that was filled in.
  const descriptor = openSync(file.location() ?? '', 'r+')
  fsyncSync(descriptor)
  closeSync(descriptor)
}
