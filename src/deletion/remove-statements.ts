import { sql, type SQL } from 'drizzle-orm'
import { garments, unreferencedFiles, unusedPictures, tenantCounters } from '../db/schema.ts'
import { hasUploadedFile, storedFileId } from '../garment/uploaded-file.ts'
import { begunBy, refillTurns } from '../garment/turns/turns.ts'
import { uploadTurns } from '../garment/turns/turn-limit.ts'
import { textBytes } from '../quota/statements.ts'
import { minuteMs } from '../time.ts'

/** Longer than any run takes. One that has already begun may still store its picture. */
const maxRunMs = 10 * minuteMs

/**
 * The statements that remove a garment, if there is one: they subtract it from the counts, give its turn to the next
 * one in the tenant's backlog, and mark its picture and file for the sweep, in case a later step fails. The statement
 * that counts returns the tenant's turns, the last one the garment.
 */
export function removeStatements(tenantId: string, uuid: string, nowMs: number): SQL[] {
  const isGarment = sql`tenant_id = ${tenantId} AND uuid = ${uuid}`
  const kept = sql`SELECT value AS turn FROM json_each(${tenantCounters}.turns) WHERE value ->> 0 <> ${uuid}`
  const turns = refillTurns({ tenantId, kept, endingUuid: uuid, by: begunBy(nowMs), limit: uploadTurns }, nowMs)
  return [
    sql`
      UPDATE ${tenantCounters} SET
        waiting = max(waiting - gone.waits, 0), garments = max(garments - 1, 0),
        text_bytes = max(text_bytes - gone.bytes, 0), turns = ${turns}
      FROM (SELECT ended_at IS NULL AS waits, ${textBytes} AS bytes FROM ${garments} WHERE ${isGarment}) AS gone
      WHERE tenant_id = ${tenantId}
      RETURNING turns`,
    sql`
      INSERT OR IGNORE INTO ${unusedPictures} (picture_id, tenant_id, remove_at)
      SELECT picture_id, tenant_id, ${nowMs + maxRunMs} FROM ${garments} WHERE ${isGarment}`,
    sql`
      INSERT OR IGNORE INTO ${unreferencedFiles} (tenant_id, picture_id, since)
      SELECT tenant_id, ${storedFileId}, ${nowMs} FROM ${garments} WHERE ${isGarment} AND ${hasUploadedFile}`,
    sql`DELETE FROM ${garments} WHERE ${isGarment} RETURNING picture_id, image_url`,
  ]
}
