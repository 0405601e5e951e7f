import { and, eq } from 'drizzle-orm'
import { tenantDatabase } from '../db/databases/find-database.ts'
import { imports } from '../db/schema.ts'
import { importNotFound } from './errors.ts'
import { wakeImporter } from './run/wake-importer.ts'

export interface Pause {
  readonly id: string
  readonly paused: boolean
}

/** Pauses or resumes an import. What it has uploaded is still tagged; it uploads nothing more. Throws 404. */
export async function pauseImport(
  env: Pick<Env, 'DB' | 'IMPORTER'>,
  tenantId: string,
  { id, paused }: Pause,
): Promise<void> {
  const changed = await tenantDatabase(env, tenantId)
    .update(imports)
    .set({ paused })
    .where(and(eq(imports.tenantId, tenantId), eq(imports.id, id)))
    .returning({ id: imports.id })
  if (changed.length === 0) throw importNotFound()
  if (!paused) await wakeImporter(env, tenantId)
}
