import { and, count, eq, lt, sql } from 'drizzle-orm'
import { recordEvents } from '../account-event/record-events.ts'
import { recordEntry, type Actor } from '../audit/record-entry.ts'
import type { Database } from '../db/client.ts'
import { newId } from '../db/ids.ts'
import { apiKeys, tenants } from '../db/schema.ts'
import { selectValues } from '../db/select-values.ts'
import { tenantNotFound } from '../tenant/errors.ts'
import { merchantOf } from '../tenant/own-tenant.ts'
import type { GateStub } from '../tenant/open-gate.ts'
import { hashApiKey, newApiKey, prefixLength } from './api-key.ts'
import { maxLiveKeys, tooManyApiKeys } from './errors.ts'

export type CreatedKey = Awaited<ReturnType<typeof createApiKey>>

/** Returns the new row and the key itself, which is not stored and never shown again. */
export async function createApiKey(
  { db, gate }: { readonly db: Database; readonly gate: GateStub },
  tenantId: string,
  name: string,
  nowMs: number,
  by: Actor,
) {
  const key = newApiKey()
  const hash = hashApiKey(key)
  const liveKeys = db.select({ live: count() }).from(apiKeys).where(eq(apiKeys.tenantId, tenantId))
  // Counting and inserting are one statement, so that concurrent requests cannot exceed the limit together, and no key
  // outlives a tenant that is deleted at the same moment.
  const values = { id: newId(), tenantId, name, prefix: key.slice(0, prefixLength), hash, createdAt: nowMs }
  const insertable = db
    .select(selectValues(apiKeys, values))
    .from(tenants)
    .where(and(eq(tenants.id, tenantId), lt(sql`(${liveKeys})`, maxLiveKeys)))
  // The gate looks for an announced key for a minute, so the announcement need not wait for the row.
  const entry = {
    holderId: merchantOf(tenantId),
    action: 'key.created',
    subject: `${name} (${values.prefix}…)`,
  } as const
  const event = {
    tenantId,
    event: 'api_key.created',
    subject: values.id,
    data: { api_key: { id: values.id, name, prefix: values.prefix }, by: by.name },
  } as const
  const isStored = sql`EXISTS (SELECT 1 FROM ${apiKeys} WHERE id = ${values.id})`
  const [[inserted]] = await Promise.all([
    db.batch([
      db.insert(apiKeys).select(insertable).returning(),
      ...recordEntry(db, entry, { by, at: nowMs }),
      ...recordEvents(db, [event], nowMs, { condition: isStored }),
    ]),
    gate.expectKey(hash),
  ])
  const [row] = inserted
  if (row !== undefined) return { key, row }
  const exists = await db.select({ id: tenants.id }).from(tenants).where(eq(tenants.id, tenantId))
  if (exists.length === 0) throw tenantNotFound()
  throw tooManyApiKeys()
}
