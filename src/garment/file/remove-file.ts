import { sql } from 'drizzle-orm'
import { batchRaw } from '../../db/batch-raw.ts'
import type { Database } from '../../db/client.ts'
import { unreferencedFiles } from '../../db/schema.ts'
import { log } from '../../log.ts'
import { forgetFiles } from '../../quota/statements.ts'
import { fileKey } from '../uploaded-file.ts'

interface Storage {
  readonly db: Database
  readonly pictures: R2Bucket
}

/** Removes an unused file and subtracts it from the counts. If this fails, the sweep removes the rest. */
export async function removeFile({ db, pictures }: Storage, tenantId: string, id: string): Promise<void> {
  try {
    await pictures.delete(fileKey(tenantId, id))
    await batchRaw(db, [
      ...forgetFiles([{ tenantId, pictureId: id }]),
      sql`DELETE FROM ${unreferencedFiles} WHERE tenant_id = ${tenantId} AND picture_id = ${id}`,
    ])
  } catch (error) {
    log('warn', 'file not removed', { tenant: tenantId, error })
  }
}
