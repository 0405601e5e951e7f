import { asc, eq } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { apiKeys } from '../db/schema.ts'
import type { GateStub } from '../tenant/open-gate.ts'

/** All live keys, at most 20, oldest first, and when each was last used (ms since epoch, null if never). */
export async function listApiKeys(
  { db, gate }: { readonly db: Database; readonly gate: GateStub },
  tenantId: string,
): Promise<ListedKey[]> {
  const [rows, lastUsed] = await Promise.all([
    db.select().from(apiKeys).where(eq(apiKeys.tenantId, tenantId)).orderBy(asc(apiKeys.createdAt)),
    gate.lastUsed(),
  ])
  return rows.map((key) => ({ key, lastUsedAt: lastUsed[key.id] ?? null }))
}

export interface ListedKey {
  readonly key: typeof apiKeys.$inferSelect
  readonly lastUsedAt: number | null
}

/** The names of the live keys, by their ids. */
export async function listKeyNames(db: Database, tenantId: string): Promise<ReadonlyMap<string, string>> {
  const { id, name } = apiKeys
  const rows = await db.select({ id, name }).from(apiKeys).where(eq(apiKeys.tenantId, tenantId))
  return new Map(rows.map((key) => [key.id, key.name]))
}
