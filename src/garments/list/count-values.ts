import { and, desc, eq, isNotNull } from 'drizzle-orm'
import type { Database } from '../../platform/db/database.ts'
import { garments } from '../../platform/db/schema.ts'
import { type Mark, marked } from './search-words.ts'

/** Maximum number of garments whose words are read, so that the cost does not grow with the stock. */
const maxTexts = 1000

export async function newestTexts(db: Database, tenantId: string): Promise<string[]> {
  const rows = await db
    .select({ searchText: garments.searchText })
    .from(garments)
    .where(and(eq(garments.tenantId, tenantId), isNotNull(garments.endedAt)))
    .orderBy(desc(garments.createdAt), desc(garments.uuid))
    .limit(maxTexts)
  return rows.map(({ searchText }) => searchText ?? '')
}

/** Counts the values of a tenant's newest garments, such as the colour `Navy`. */
export async function countValues(db: Database, tenantId: string): Promise<(value: string, mark: Mark) => number> {
  const counts = new Map<string, number>()
  for (const text of await newestTexts(db, tenantId))
    for (const word of new Set(text.split(' '))) counts.set(word, (counts.get(word) ?? 0) + 1)
  return (value, mark) => counts.get(marked(value, mark)) ?? 0
}
