import { gt, sql } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import { databaseNumberOf } from '../../db/databases/database-number.ts'
import { getDatabase } from '../../db/databases/find-database.ts'
import { garments, storedFiles, unusedPictures } from '../../db/schema.ts'
import { pictureKey, pictureKeys, thumbnailKey } from '../../garment/annotated-picture.ts'
import { fileKey, hasUploadedFile, storedFileId } from '../../garment/uploaded-file.ts'
import { nextCursor, type Position } from './step-cursor.ts'

/** Keeps a statement below 50 ms of the database's time, and an answer below half a MB. */
const rowsInStep = 2000

/** What is listed, in this order. */
export const pictureSources = ['garments', 'files', 'unused', 'annotated', 'uploaded'] as const

export interface PicturePage {
  /** In storage. */
  readonly stored: string[]
  /** That have to be in storage, by the rows. */
  readonly needed: string[]
  /** That may be in storage, by the rows. */
  readonly allowed: string[]
  /** For the next page; null after the last one. */
  readonly cursor: string | null
}

/**
 * A page of the keys of a database's pictures and files: as its rows have them, then as storage has them. Leaves out
 * what is younger than `beforeMs`, since it may be on its way from one to the other.
 */
export async function listPictures(
  env: Pick<Env, 'DB' | 'PICTURES'>,
  number: number,
  { part: source, at }: Position<(typeof pictureSources)[number]>,
  beforeMs: number,
): Promise<PicturePage> {
  const page = (rest: string | undefined, found: Partial<PicturePage>): PicturePage => ({
    stored: [],
    needed: [],
    allowed: [],
    ...found,
    cursor: nextCursor(pictureSources, source, rest),
  })
  const db = getDatabase(env, number)
  if (source === 'garments') {
    const { needed, allowed, last } = await keysOfGarments(db, at, beforeMs)
    return page(last, { needed, allowed })
  }
  if (source === 'files' || source === 'unused') {
    const { allowed, last } = await (source === 'files' ? keysOfFiles : keysOfUnused)(db, at)
    return page(last, { allowed })
  }
  const listed = await env.PICTURES.list({ prefix: `${source}/`, ...(at === '' ? {} : { cursor: at }) })
  const stored = listed.objects
    .filter(
      ({ key, uploaded }) => databaseNumberOf(key.split('/')[1] ?? '') === number && uploaded.getTime() < beforeMs,
    )
    .map(({ key }) => key)
  return page(listed.truncated ? listed.cursor : undefined, { stored })
}

interface GarmentKeys {
  readonly tenantId: string
  readonly uuid: string
  readonly pictureId: string
  readonly fileId: string | null
  readonly isComplete: number
  readonly hasFile: number
}

/** The place of a row by its primary key, for cursors. Only what follows the tenant may contain a slash. */
const placeOf = (tenantId: string, id: string) => `${tenantId}/${id}`

function readPlace(place: string): readonly [tenantId: string, id: string] {
  const [tenantId = '', ...id] = place.split('/')
  return [tenantId, id.join('/')]
}

/** A garment that has not ended may get its picture at any moment; one that has failed may have lost its file. */
async function keysOfGarments(db: Database, after: string, beforeMs: number) {
  const [tenantId, uuid] = readPlace(after)
  const rows = await db.all<GarmentKeys>(sql`
    SELECT tenant_id AS tenantId, uuid, picture_id AS pictureId,
      iif(${hasUploadedFile}, ${storedFileId}, NULL) AS fileId,
      status = 'complete' AND ended_at < ${beforeMs} AS isComplete,
      status <> 'failed' AND created_at < ${beforeMs} AS hasFile
    FROM ${garments} WHERE (tenant_id, uuid) > (${tenantId}, ${uuid}) ORDER BY tenant_id, uuid LIMIT ${rowsInStep}`)
  const [needed, allowed]: [string[], string[]] = [[], []]
  for (const row of rows) {
    ;(row.isComplete === 1 ? needed : allowed).push(pictureKey(row.tenantId, row.pictureId))
    allowed.push(thumbnailKey(row.tenantId, row.pictureId))
    if (row.fileId !== null) (row.hasFile === 1 ? needed : allowed).push(fileKey(row.tenantId, row.fileId))
  }
  const last = rows.at(-1)
  return {
    needed,
    allowed,
    last: last === undefined || rows.length < rowsInStep ? undefined : placeOf(last.tenantId, last.uuid),
  }
}

/** Files of all kinds, also those of imports and without a garment. */
async function keysOfFiles(db: Database, after: string) {
  const [tenantId, pictureId] = readPlace(after)
  const rows = await db
    .select({ tenantId: storedFiles.tenantId, pictureId: storedFiles.pictureId })
    .from(storedFiles)
    .where(sql`(tenant_id, picture_id) > (${tenantId}, ${pictureId})`)
    .orderBy(storedFiles.tenantId, storedFiles.pictureId)
    .limit(rowsInStep)
  const last = rows.at(-1)
  return {
    allowed: rows.map((row) => fileKey(row.tenantId, row.pictureId)),
    last: last === undefined || rows.length < rowsInStep ? undefined : placeOf(last.tenantId, last.pictureId),
  }
}

/** Pictures that were replaced, or will be put to use. */
async function keysOfUnused(db: Database, after: string) {
  const rows = await db
    .select()
    .from(unusedPictures)
    .where(gt(unusedPictures.pictureId, after))
    .orderBy(unusedPictures.pictureId)
    .limit(rowsInStep)
  return {
    allowed: rows.flatMap(({ tenantId, pictureId }) => pictureKeys(tenantId, pictureId)),
    last: rows.length < rowsInStep ? undefined : rows.at(-1)?.pictureId,
  }
}
