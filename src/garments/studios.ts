import { z } from '@hono/zod-openapi'
import { and, asc, eq, sql } from 'drizzle-orm'
import { maxValueLength } from '../platform/http/validation.ts'
import { ApiError } from '../platform/http/errors.ts'
import { type Authorship, recordEntry } from '../accounts/audit.ts'
import { type Database, runBatch } from '../platform/db/database.ts'
import { studios, tenantState } from '../platform/db/schema.ts'

/** Covers a close-up as well as a large hall. Values outside are misplaced decimal points. */
const [minScale, maxScale] = [0.0001, 10]

export const maxStudios = 100

export const studioSchema = z.object({
  // A garment's attribute `Studio` contains this name.
  name: z.string().trim().min(1).max(maxValueLength),
  cm_per_pixel: z.coerce
    .number('must be a number such as 0.05')
    .min(minScale, `must be at least ${minScale}`)
    .max(maxScale, `must be at most ${maxScale}`),
})

export type Studio = z.infer<typeof studioSchema>

const tooManyStudios = () =>
  new ApiError('too_many_studios', 'Too many studios', [
    `A tenant has at most ${maxStudios} studios; remove one first.`,
  ])

/** Creates a studio or changes its scale. Throws 409 if the tenant already has 100. */
export async function putStudio(db: Database, tenantId: string, studio: Studio, authorship: Authorship): Promise<void> {
  // One statement, so that parallel requests cannot exceed the limit and deleted tenants get no studio.
  const put = sql`
    INSERT INTO ${studios} (tenant_id, name, cm_per_pixel)
    SELECT ${tenantId}, ${studio.name}, ${studio.cm_per_pixel}
    WHERE EXISTS (SELECT 1 FROM ${tenantState} WHERE tenant_id = ${tenantId})
      AND ((SELECT count(*) FROM ${studios} WHERE tenant_id = ${tenantId}) < ${maxStudios}
        OR EXISTS (SELECT 1 FROM ${studios} WHERE tenant_id = ${tenantId} AND name = ${studio.name}))
    ON CONFLICT (tenant_id, name) DO UPDATE SET cm_per_pixel = excluded.cm_per_pixel
    RETURNING name`
  const subject = `${studio.name}: ${studio.cm_per_pixel} cm per pixel`
  const { stored } = await runBatch(db, {
    stored: put,
    entry: recordEntry(db, { holderId: tenantId, action: 'studio.saved', subject }, authorship),
  })
  if (stored.length === 0) throw tooManyStudios()
}

export async function deleteStudio(
  db: Database,
  tenantId: string,
  name: string,
  authorship: Authorship,
): Promise<void> {
  const { deleted } = await runBatch(db, {
    deleted: db
      .delete(studios)
      .where(and(eq(studios.tenantId, tenantId), eq(studios.name, name)))
      .returning({ name: studios.name }),
    entry: recordEntry(db, { holderId: tenantId, action: 'studio.removed', subject: name }, authorship),
  })
  if (deleted.length === 0) throw new ApiError('studio_not_found')
}

/** Null without the attribute `Studio`. `findStudio` compares the names, because SQLite folds only ASCII letters. */
export const studiosIfNamed = sql<string | null>`iif(garments.attribute ->> '$.Studio' IS NULL, NULL, (
  SELECT json_group_array(json_object('name', studio.name, 'cm_per_pixel', studio.cm_per_pixel))
  FROM ${studios} AS studio WHERE studio.tenant_id = garments.tenant_id))`

export const parseStudios = (selected: string | null): Studio[] =>
  selected === null ? [] : z.array(studioSchema).parse(JSON.parse(selected))

const folded = (name: string) => name.trim().normalize('NFC').toLowerCase()

export function findStudio(all: readonly Studio[], { Studio: name }: Readonly<Record<string, string>>) {
  if (name === undefined) return undefined
  return all.find((studio) => studio.name === name) ?? all.find((studio) => folded(studio.name) === folded(name))
}

export function studioNote(all: readonly Studio[], attribute: Readonly<Record<string, string>>): string | null {
  const { Studio: name = '' } = attribute
  if (name.trim() === '' || findStudio(all, attribute) !== undefined) return null
  return `There is no studio “${name}”, so the measurements are estimates from usual sizes.`
}

export const listStudios = (db: Database, tenantId: string) =>
  db
    .select({ name: studios.name, cm_per_pixel: studios.cmPerPixel })
    .from(studios)
    .where(eq(studios.tenantId, tenantId))
    .orderBy(asc(studios.name))
