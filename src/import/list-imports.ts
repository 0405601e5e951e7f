import { and, desc, eq, isNotNull, isNull, or } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { cutPage, olderThan, parseCursor, type PageRequest } from '../db/page.ts'
import { imports } from '../db/schema.ts'

export type ImportRow = typeof imports.$inferSelect

/** Not of one that was deleted, whose lines are still being removed. */
export const isKept = or(isNotNull(imports.storedAt), isNull(imports.endedAt))

/** A page of a tenant's imports, newest first. */
export async function listImports(db: Database, tenantId: string, { limit, cursor }: PageRequest) {
  const position = parseCursor(cursor)
  const rows = await db
    .select()
    .from(imports)
    .where(and(eq(imports.tenantId, tenantId), isKept, position && olderThan(imports.createdAt, imports.id, position)))
    .orderBy(desc(imports.createdAt), desc(imports.id))
    .limit(limit + 1)
  return cutPage(rows, limit, ({ createdAt, id }) => ({ at: createdAt, id }))
}
