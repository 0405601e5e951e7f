import { sql, type SQL } from 'drizzle-orm'
import { facets, garments } from '../../db/schema.ts'
import type { GarmentFilter } from './list-garments.ts'

/** What `matchesFilter` asks of a row, for the database. The uuid is left out. */
export function matches({
  status,
  brand,
  itemType,
  colour,
  fromMs,
  untilMs,
  corrected,
  doubtful,
}: Omit<GarmentFilter, 'limit'>): SQL {
  const conditions = [
    status === undefined
      ? undefined
      : status === 'waiting'
        ? sql`${garments.status} IN ('queuing', 'processing')`
        : sql`${garments.status} = ${status}`,
    brand === undefined ? undefined : sql`${facets.brand} = ${brand}`,
    itemType === undefined ? undefined : sql`${facets.itemType} = ${itemType}`,
    colour === undefined ? undefined : sql`${facets.colour} = ${colour}`,
    fromMs === undefined ? undefined : sql`${garments.createdAt} >= ${fromMs}`,
    untilMs === undefined ? undefined : sql`${garments.createdAt} < ${untilMs}`,
    corrected ? sql`${facets.corrected} = 1` : undefined,
    doubtful ? sql`${facets.doubt} > 0` : undefined,
  ].filter((condition) => condition !== undefined)
  return conditions.length === 0 ? sql`1` : sql`(${sql.join(conditions, sql` AND `)})`
}
