import { and, desc, eq, isNotNull } from 'drizzle-orm'
import type { Database } from '../../platform/db/database.ts'
import { garments } from '../../platform/db/schema.ts'
import { type Mark, marked } from './search-words.ts'

/** Newest garments that are counted, so that a filter's counts cost the same for every tenant. */
const maxGarments = 1000

/**
 * Counts the values of a tenant's newest garments. Returns a function that says how many of them have a value, such as
 * the colour `Navy`.
 */
export async function countValues(db: Database, tenantId: string): Promise<(value: string, mark: Mark) => number> {
  const rows = await db
    .select({ searchText: garments.searchText })
    .from(garments)
    .where(and(eq(garments.tenantId, tenantId), isNotNull(garments.endedAt)))
    .orderBy(desc(garments.createdAt), desc(garments.uuid))
    .limit(maxGarments)
  const counts = new Map<string, number>()
  for (const { searchText } of rows)
    for (const word of new Set(searchText?.split(' '))) counts.set(word, (counts.get(word) ?? 0) + 1)
  return (value, mark) => counts.get(marked(value, mark)) ?? 0
}
