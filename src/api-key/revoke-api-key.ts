import { and, eq } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { apiKeys } from '../db/schema.ts'
import type { GateStub } from '../tenant/open-gate.ts'
import { tryToPutTombstone } from '../tombstone/tombstone.ts'
import { apiKeyNotFound } from './errors.ts'

export async function revokeApiKey(
  { db, gate, pictures }: { readonly db: Database; readonly gate: GateStub; readonly pictures: R2Bucket },
  tenantId: string,
  keyId: string,
): Promise<void> {
  const deleted = await db
    .delete(apiKeys)
    .where(and(eq(apiKeys.tenantId, tenantId), eq(apiKeys.id, keyId)))
    .returning({ id: apiKeys.id })
  // Always, so that a repeated call reaches a gate that the first one missed.
  await gate.forget()
  if (deleted.length === 0) throw apiKeyNotFound()
  await tryToPutTombstone(pictures, 'api-key', keyId)
}
