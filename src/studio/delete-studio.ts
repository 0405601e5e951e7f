import { and, eq } from 'drizzle-orm'
import { recordEntry, type Made } from '../audit/record-entry.ts'
import type { Database } from '../db/client.ts'
import { studios } from '../db/schema.ts'
import { studioNotFound } from './errors.ts'

export async function deleteStudio(db: Database, tenantId: string, name: string, made: Made): Promise<void> {
  const [deleted] = await db.batch([
    db
      .delete(studios)
      .where(and(eq(studios.tenantId, tenantId), eq(studios.name, name)))
      .returning({ name: studios.name }),
    ...recordEntry(db, { holderId: tenantId, action: 'studio.removed', subject: name }, made),
  ])
  if (deleted.length === 0) throw studioNotFound()
}
