import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

export interface GarmentState {
  readonly tenantId: string
  readonly uuid: string
  readonly status: string
  readonly failureReason: string
  /** The delivery's endpoint: a garment has a row for each. */
  readonly endpoint: string
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

/** The files of a local service's databases in its state directory. */
export function databaseFiles(persistTo: string): string[] {
  const folder = join(persistTo, 'v3', 'd1', 'miniflare-D1DatabaseObject')
  const files = readdirSync(folder).filter((name) => name.endsWith('.sqlite') && name !== 'metadata.sqlite')
  if (files.length === 0) throw new Error(`There is no database in ${folder}`)
  return files.map((file) => join(folder, file))
}

/** Reads the databases of a local service, running or not. */
export function openState(persistTo: string) {
  const databases = databaseFiles(persistTo).map((file) => new DatabaseSync(file, { readOnly: true }))
  const all = <T>(sql: string) => databases.flatMap((database) => database.prepare(sql).all() as T[])
  return {
    /** The number of garments and deliveries that have not ended. */
    unended: () =>
      all<{ count: number }>(
        `SELECT (SELECT count(*) FROM garments WHERE queued_at IS NOT NULL OR due_at IS NOT NULL)
          + (SELECT count(*) FROM deliveries WHERE due_at IS NOT NULL) AS count`,
      ).reduce((sum, { count }) => sum + count, 0),
    /** Deliveries with an attempt in progress. */
    claimed: () => all<{ id: string }>('SELECT id FROM deliveries WHERE claim_id IS NOT NULL').map(({ id }) => id),
    garments: () =>
      all<GarmentState>(
        `SELECT g.tenant_id AS tenantId, uuid, g.status, coalesce(failure, '') AS failureReason, d.id AS deliveryId, d.status AS deliveryStatus,
          coalesce(attempt_count, 0) AS attemptCount, coalesce(endpoint_id, 'first') AS endpoint
        FROM garments g LEFT JOIN deliveries d ON d.tenant_id = g.tenant_id AND garment_uuid = uuid`,
      ),
    attempts: () =>
      all<RecordedAttempt>(
        `SELECT d.id AS deliveryId, a.at, coalesce(a.response_status, 0) AS responseStatus, coalesce(a.error, '') AS error
        FROM delivery_attempts a JOIN deliveries d ON d.id = a.delivery_id
        ORDER BY at`,
      ),
    close: () => databases.forEach((database) => database.close()),
  }
}
