import { and, eq, sql } from 'drizzle-orm'
import { recordEvents } from '../account-event/record-events.ts'
import { recordEntry, type Made } from '../audit/record-entry.ts'
import type { Database } from '../db/client.ts'
import { apiKeys } from '../db/schema.ts'
import { tryToRecordDeletion } from '../tombstone/deletions.ts'
import type { GateStub } from '../tenant/open-gate.ts'
import { merchantOf } from '../tenant/own-tenant.ts'
import { apiKeyNotFound } from './errors.ts'

export async function revokeApiKey(
  { db, gate, pictures }: { readonly db: Database; readonly gate: GateStub; readonly pictures: R2Bucket },
  tenantId: string,
  keyId: string,
  made: Made,
): Promise<void> {
  const ofKey = and(eq(apiKeys.tenantId, tenantId), eq(apiKeys.id, keyId))
  const subject = sql`(SELECT name || ' (' || prefix || '…)' FROM ${apiKeys} WHERE ${ofKey})`
  const entry = { holderId: merchantOf(tenantId), action: 'key.revoked', subject } as const
  // Before the key is deleted, while its name is there.
  const isThere = sql`EXISTS (SELECT 1 FROM ${apiKeys} WHERE ${ofKey})`
  const event = { tenantId, event: 'api_key.revoked', subject: keyId, data: {} } as const
  const data = sql`(
    SELECT json_object('api_key', json_object('id', id, 'name', name, 'prefix', prefix), 'by', ${made.by.name})
    FROM ${apiKeys} WHERE ${ofKey})`
  const [, , , , deleted] = await db.batch([
    ...recordEntry(db, entry, made, isThere),
    ...recordEvents(db, [event], made.at, { condition: isThere, data }),
    db.delete(apiKeys).where(ofKey).returning({ id: apiKeys.id }),
  ])
  // Always, so that a repeated call reaches a gate that the first one missed.
  await gate.forget()
  if (deleted.length === 0) throw apiKeyNotFound()
  await tryToRecordDeletion(pictures, { kind: 'api-key', id: keyId }, made.at)
}
