import { eq } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { waitingGarments } from '../db/schema.ts'
import type { QuotaName } from './quotas.ts'

/** How much a tenant has stored. */
export async function findStored(db: Database, tenantId: string): Promise<Readonly<Record<QuotaName, number>>> {
  const [row] = await db.select().from(waitingGarments).where(eq(waitingGarments.tenantId, tenantId))
  return {
    garments: row?.garments ?? 0,
    import_lines: row?.importLines ?? 0,
    text_bytes: row?.textBytes ?? 0,
    files: row?.files ?? 0,
    file_bytes: row?.fileBytes ?? 0,
  }
}
