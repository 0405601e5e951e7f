import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { studios } from '../db/schema.ts'
import { studioSchema, type Studio } from './fields.ts'

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
