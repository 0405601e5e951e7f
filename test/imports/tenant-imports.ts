import { garmentRow } from '../../src/garments/garment.ts'
import { parsePictures } from '../../src/garments/pictures/garment-picture.ts'
import { notProcessed } from '../../src/garments/failure.ts'
import { and, asc, eq, gte, sql } from 'drizzle-orm'
import { garments, importLines, imports, tenantCounters } from '../../src/platform/db/schema.ts'
import { problemText } from '../../src/imports/import-line-problem.ts'
import { continueImports } from '../../src/imports/importer.ts'
import { type LinesFile, storeLines } from '../../src/imports/store-import-lines.ts'
import { parseSettings } from '../../src/settings.ts'
import { bindings, databaseOf, newTenant } from '../service.ts'

export const settings = parseSettings(bindings)

/** A CSV file with garments of these uuids. */
export const csvOf = (uuids: readonly string[]) =>
  `uuid,image_url\n${uuids.map((uuid) => `${uuid},http://127.0.0.1:9/${uuid}.jpg\n`).join('')}`

export const numbered = (count: number, prefix = 'g') => Array.from({ length: count }, (_, i) => `${prefix}${i + 1}`)

/**
 * A new tenant, whose garments wait in the database: messages about them are kept in `sent` and go to no queue. The
 * uuids of what the imports have uploaded are in `uploaded`.
 */
export async function newImporter(maxWaiting = 1000) {
  const { tenantId, merchant, domain } = await newTenant()
  const db = databaseOf(tenantId)
  const sent: string[] = []
  const TAGGING_QUEUE = {
    sendBatch: async (messages: readonly { body: { uuid: string } }[]) =>
      void sent.push(...messages.map(({ body }) => body.uuid)),
  }
  const env = { ...bindings, TAGGING_QUEUE, MAX_WAITING_GARMENTS: String(maxWaiting) } as unknown as Env
  const ofTenant = eq(garments.tenantId, tenantId)
  const uploaded: string[] = []
  async function step(nowMs = 2000) {
    const pauseMs = await continueImports(env, tenantId, nowMs)
    // The tests' own uploads are older.
    const rows = await db
      .select({ uuid: garments.uuid })
      .from(garments)
      .where(and(ofTenant, gte(garments.createdAt, 1000)))
      .orderBy(asc(garments.createdAt), sql`length(uuid)`, asc(garments.uuid))
    uploaded.splice(0, Infinity, ...rows.map(({ uuid }) => uuid))
    return pauseMs
  }
  return {
    tenantId,
    db,
    merchant,
    domain,
    env,
    sent,
    uploaded,
    async store(text: string, nowMs = 1000, more: Partial<LinesFile> = {}) {
      const by = { kind: 'member', id: 'm', name: 'Ann' } as const
      const file = { name: 'stock.csv', text, by, origin: 'https://s.example', ...more }
      return (await storeLines({ db, settings }, tenantId, file, nowMs)).id
    },
    step,
    /** Steps until nothing moves. */
    async run(nowMs = 2000) {
      for (let i = 0; i < 300; i++) if ((await step(nowMs)) !== 500) return
      throw new Error('The imports do not come to rest')
    },
    /** Ends garments as if they had been tagged. */
    async endGarments(status: 'complete' | 'failed', uuids: readonly string[]) {
      const ended = sql`uuid IN (SELECT value FROM json_each(${JSON.stringify(uuids)}))`
      const failure = status === 'failed' ? notProcessed : null
      await db.batch([
        db
          .update(garments)
          .set({ status, failure, endedAt: 3000, queuedAt: null, dueAt: null })
          .where(and(ofTenant, ended)),
        db
          .update(tenantCounters)
          .set({ waiting: sql`waiting - ${uuids.length}` })
          .where(eq(tenantCounters.tenantId, tenantId)),
      ])
    },
    waiting: async () =>
      (await db.select().from(tenantCounters).where(eq(tenantCounters.tenantId, tenantId)))[0]?.waiting ?? 0,
    async garments() {
      const rows = await db.select(garmentRow).from(garments).where(ofTenant).orderBy(asc(garments.uuid))
      return rows.map((row) => ({ ...row, pictureList: parsePictures(row) }))
    },
    imports: async () =>
      await db.select().from(imports).where(eq(imports.tenantId, tenantId)).orderBy(asc(imports.createdAt)),
    async lines() {
      const rows = await db
        .select()
        .from(importLines)
        .where(eq(importLines.tenantId, tenantId))
        .orderBy(asc(importLines.importId), asc(importLines.line))
      // As they are shown.
      return rows.map((row) => ({ ...row, problem: problemText(row.problem), storedProblem: row.problem }))
    },
  }
}
