import { and, eq } from 'drizzle-orm'
import { openDatabase } from '../db/client.ts'
import { imports } from '../db/schema.ts'
import { ApiError } from '../http/errors.ts'
import { wakeImporter } from './run/wake-importer.ts'

export interface Pause {
  readonly id: string
  readonly paused: boolean
}

/** Pauses an import, or resumes it. What it has uploaded already is tagged all the same. Throws 404. */
export async function pauseImport(
  env: Pick<Env, 'DB' | 'IMPORTER'>,
  tenantId: string,
  { id, paused }: Pause,
): Promise<void> {
  const changed = await openDatabase(env.DB)
    .update(imports)
    .set({ paused })
    .where(and(eq(imports.tenantId, tenantId), eq(imports.id, id)))
    .returning({ id: imports.id })
  if (changed.length === 0) throw new ApiError(404, 'Import not found', ['You have no import with this id.'])
  if (!paused) await wakeImporter(env, tenantId)
}
