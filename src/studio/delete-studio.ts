import { and, eq } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { studios } from '../db/schema.ts'
import { studioNotFound } from './errors.ts'

export async function deleteStudio(db: Database, tenantId: string, name: string): Promise<void> {
  const deleted = await db
    .delete(studios)
    .where(and(eq(studios.tenantId, tenantId), eq(studios.name, name)))
    .returning({ name: studios.name })
  if (deleted.length === 0) throw studioNotFound()
}
