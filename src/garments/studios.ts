import { z } from '@hono/zod-openapi'
import { and, asc, eq, sql } from 'drizzle-orm'
import { maxValueLength } from '../platform/http/validation.ts'
import { ApiError } from '../platform/http/errors.ts'
import { type Authorship, recordEntry } from '../accounts/audit.ts'
import { type Database, runBatch } from '../platform/db/database.ts'
import { studios, tenantState } from '../platform/db/schema.ts'

/** From a close-up to a large hall. Anything else is a misplaced decimal point. */
const [minScale, maxScale] = [0.0001, 10]

/** How many a tenant may have. */
export const maxStudios = 100

export const studioSchema = z.object({
  // The attribute `Studio` of a garment names its studio.
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
  // A single statement, so that two requests at once cannot exceed the limit, and no studio is stored for a deleted
  // tenant.
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

/**
 * Selects the tenant's studios, of which there are at most 100, as JSON where the garment's attribute `Studio` names
 * one; else null. SQLite cannot compare their names: it folds the case of ASCII letters only. For queries on
 * `garments`, whose columns are written out: the query builder drops the name of the table, and `tenant_id` alone is
 * that of the studio.
 */
export const studiosIfNamed = sql<string | null>`iif(garments.attribute ->> '$.Studio' IS NULL, NULL, (
  SELECT json_group_array(json_object('name', studio.name, 'cm_per_pixel', studio.cm_per_pixel))
  FROM ${studios} AS studio WHERE studio.tenant_id = garments.tenant_id))`

export const parseStudios = (selected: string | null): Studio[] =>
  selected === null ? [] : z.array(studioSchema).parse(JSON.parse(selected))

/** Names are compared without regard to case, to white space around, and to how accents are encoded. */
const folded = (name: string) => name.trim().normalize('NFC').toLowerCase()

/** The studio that a garment's attributes name. One with exactly this name comes first. */
export function findStudio(all: readonly Studio[], { Studio: name }: Readonly<Record<string, string>>) {
  if (name === undefined) return undefined
  return all.find((studio) => studio.name === name) ?? all.find((studio) => folded(studio.name) === folded(name))
}

/** A note for the client if a garment's attributes name a studio that does not exist; null otherwise. */
export function studioNote(all: readonly Studio[], attribute: Readonly<Record<string, string>>): string | null {
  const { Studio: name = '' } = attribute
  if (name.trim() === '' || findStudio(all, attribute) !== undefined) return null
  return `There is no studio “${name}”, so the measurements are estimates from usual sizes.`
}

/** All studios of a tenant, by name; there are at most 100. */
export const listStudios = (db: Database, tenantId: string) =>
  db
    .select({ name: studios.name, cm_per_pixel: studios.cmPerPixel })
    .from(studios)
    .where(eq(studios.tenantId, tenantId))
    .orderBy(asc(studios.name))
