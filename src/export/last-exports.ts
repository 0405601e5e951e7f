import { eq } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '../db/client.ts'
import { exportDefaults, lastExports } from '../db/schema.ts'
import { parseExportDefaults } from './shop/defaults.ts'
import type { LastExport } from './since.ts'

const uuids = z.array(z.string())

/** A tenant's defaults, and the last whole export of each format, by format. */
export async function findExportState(db: Database, tenantId: string, currency: string) {
  const [[stored], rows] = await db.batch([
    db.select().from(exportDefaults).where(eq(exportDefaults.tenantId, tenantId)),
    db.select().from(lastExports).where(eq(lastExports.tenantId, tenantId)),
  ])
  const last = rows.map(({ format, exportedAt, recent, leftOut }): [string, LastExport] => [
    format,
    { exportedAt, recent: uuids.parse(JSON.parse(recent)), leftOut: uuids.parse(JSON.parse(leftOut)) },
  ])
  return { defaults: parseExportDefaults(stored?.defaults ?? null, currency), last: new Map(last) }
}

/** Records a whole export of a format, after which “new since the last export” begins. */
export async function recordExport(db: Database, tenantId: string, format: string, sent: LastExport): Promise<void> {
  const { exportedAt } = sent
  const set = { exportedAt, recent: JSON.stringify(sent.recent), leftOut: JSON.stringify(sent.leftOut) }
  await db
    .insert(lastExports)
    .values({ tenantId, format, ...set })
    .onConflictDoUpdate({ target: [lastExports.tenantId, lastExports.format], set })
}
