import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

export interface GarmentState {
  readonly tenantId: string
  readonly uuid: string
  readonly status: string
  readonly failureReason: string
  readonly deliveryId: string | null
  readonly deliveryStatus: string | null
  readonly attemptCount: number
}

export interface RecordedAttempt {
  readonly deliveryId: string
  readonly at: number
  readonly responseStatus: number
  readonly error: string
}

/** The file of a local service's database in its state directory. */
export function databaseFile(persistTo: string): string {
  const folder = join(persistTo, 'v3', 'd1', 'miniflare-D1DatabaseObject')
  const file = readdirSync(folder).find((name) => name.endsWith('.sqlite') && name !== 'metadata.sqlite')
  if (file === undefined) throw new Error(`There is no database in ${folder}`)
  return join(folder, file)
}

/** Reads the database of a local service, running or not. */
export function openState(persistTo: string) {
  const database = new DatabaseSync(databaseFile(persistTo), { readOnly: true })
  const all = <T>(sql: string) => database.prepare(sql).all() as T[]
  return {
    /** The number of garments and deliveries that have not ended. */
    unended: () =>
      all<{ count: number }>(
        `SELECT (SELECT count(*) FROM garments WHERE due_at IS NOT NULL)
          + (SELECT count(*) FROM deliveries WHERE due_at IS NOT NULL) AS count`,
      )[0]?.count ?? 0,
    /** Deliveries with an attempt in progress. */
    claimed: () => all<{ id: string }>('SELECT id FROM deliveries WHERE claim_id IS NOT NULL').map(({ id }) => id),
    garments: () =>
      all<GarmentState>(
        `SELECT g.tenant_id AS tenantId, uuid, g.status, failure_reason AS failureReason, d.id AS deliveryId, d.status AS deliveryStatus,
          coalesce(attempt_count, 0) AS attemptCount
        FROM garments g LEFT JOIN deliveries d ON d.tenant_id = g.tenant_id AND garment_uuid = uuid`,
      ),
    attempts: () =>
      all<RecordedAttempt>(
        `SELECT d.id AS deliveryId, a.at, a.response_status AS responseStatus, a.error
        FROM delivery_attempts a JOIN deliveries d ON d.number = a.delivery_number ORDER BY a.at`,
      ),
    close: () => database.close(),
  }
}
