import { eq } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { tenantCounters } from '../db/schema.ts'
import type { QuotaName } from './quotas.ts'

/** How much a tenant has stored. */
export const findStored = async (db: Database, tenantId: string) => toStored(await storedQuery(db, tenantId))

/** The query itself, for pages that read it in one batch with others. */
export const storedQuery = (db: Database, tenantId: string) =>
  db.select().from(tenantCounters).where(eq(tenantCounters.tenantId, tenantId))

export function toStored([row]: Awaited<ReturnType<typeof storedQuery>>): Readonly<Record<QuotaName, number>> {
  return {
    garments: row?.garments ?? 0,
    import_lines: row?.importLines ?? 0,
    text_bytes: row?.textBytes ?? 0,
    files: row?.files ?? 0,
    file_bytes: row?.fileBytes ?? 0,
  }
}
