import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { and, asc, eq, lt, sql } from 'drizzle-orm'
import { z } from '@hono/zod-openapi'
import { ApiError } from '../platform/http/errors.ts'
import { storeAccountEvent } from '../events/account-events.ts'
import { type Actor, type Authorship, recordEntry } from './audit.ts'
import { type Database, hasRow, newId, runBatch, selectValues } from '../platform/db/database.ts'
import { apiKeys, tenants } from '../platform/db/schema.ts'
import { type GateStub, merchantOf, type TenantRow } from './tenant.ts'
import { tryToRecordDeletion } from '../platform/deletions.ts'

/**
 * Keys are `gt_`, 32 random base62 characters (190 bits) and 6 characters of checksum. Secret scanners use the checksum
 * to recognise leaked keys.
 */
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const randomLength = 32
const checksumLength = 6
export const prefixLength = 9

function checksum(body: string): string {
  let value = crc32(body)
  let text = ''
  for (let i = 0; i < checksumLength; i++) {
    text = alphabet.charAt(value % alphabet.length) + text
    value = Math.floor(value / alphabet.length)
  }
  return text
}

/** Discards random bytes above 247, so that each of the 62 characters is equally likely. */
function randomBase62(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length))) {
      if (byte < 248 && text.length < length) text += alphabet.charAt(byte % 62)
    }
  }
  return text
}

export function newApiKey(): string {
  const body = `gt_${randomBase62(randomLength)}`
  return body + checksum(body)
}

export function isWellFormedKey(key: string): boolean {
  if (!/^gt_[0-9A-Za-z]{38}$/.test(key)) return false
  return checksum(key.slice(0, -checksumLength)) === key.slice(-checksumLength)
}

/** A fast hash is enough, because a key has 190 random bits. */
export const hashApiKey = (key: string): string => createHash('sha256').update(key).digest('hex')

const maxLiveKeys = 20

export const tooManyApiKeys = () =>
  new ApiError('too_many_api_keys', 'Too many API keys', [
    `A tenant has at most ${maxLiveKeys} live keys. Revoke a key first.`,
  ])

/** Creates a key. Returns its row and the key itself, which is not stored. Throws 404, or 409 above 20 live keys. */
export async function createApiKey(
  { db, gate }: { readonly db: Database; readonly gate: GateStub },
  tenantId: string,
  name: string,
  nowMs: number,
  by: Actor,
) {
  const key = newApiKey()
  const hash = hashApiKey(key)
  const liveKeys = db.$count(apiKeys, eq(apiKeys.tenantId, tenantId))
  // Counts and inserts in one statement, so that concurrent requests cannot exceed the limit.
  const values = { id: newId(), tenantId, name, prefix: key.slice(0, prefixLength), hash, createdAt: nowMs }
  const insertable = db
    .select(selectValues(apiKeys, values))
    .from(tenants)
    .where(and(eq(tenants.id, tenantId), lt(liveKeys, maxLiveKeys)))
  const entry = {
    holderId: merchantOf(db, tenantId),
    action: 'key.created',
    subject: `${name} (${values.prefix}…)`,
  } as const
  const data = { api_key: { id: values.id, name, prefix: values.prefix }, by: by.name }
  const event = { tenantId, event: 'api_key.created', subject: values.id, data } as const
  const isStored = hasRow(apiKeys, eq(apiKeys.id, values.id))
  const {
    inserted: [row],
    tenant: [tenant],
  } = await runBatch(db, {
    inserted: db.insert(apiKeys).select(insertable).returning(),
    entry: recordEntry(db, entry, { by, at: nowMs }),
    event: storeAccountEvent(db, event, isStored, nowMs),
    tenant: gateQuery(db, tenantId),
  })
  if (tenant === undefined) throw new ApiError('tenant_not_found')
  if (row === undefined) throw tooManyApiKeys()
  if (tenant.hasGate) await gate.forget()
  return { key, row }
}

/** Selects whether a gate may have read the tenant's keys. Belongs in the batch that changes a key. */
const gateQuery = (db: Database, tenantId: string) =>
  db.select({ hasGate: tenants.hasGate }).from(tenants).where(eq(tenants.id, tenantId))

export const newApiKeySchema = z.object({
  name: z.string().trim().min(1).max(200),
})

const fields = { id: z.string(), name: z.string(), prefix: z.string(), created_at: z.string() }

export const createdApiKeySchema = z.object({ ...fields, api_key: z.string() })

export const apiKeyListSchema = z.object({
  api_keys: z.array(z.object({ ...fields, last_used_at: z.string().nullable() })),
})

const noUse: Readonly<Record<string, number>> = {}

export async function listApiKeys(
  { db, gate }: { readonly db: Database; readonly gate: GateStub },
  { id, hasGate }: Pick<TenantRow, 'id' | 'hasGate'>,
): Promise<ListedKey[]> {
  const [rows, lastUsed] = await Promise.all([
    db.select().from(apiKeys).where(eq(apiKeys.tenantId, id)).orderBy(asc(apiKeys.createdAt)),
    hasGate ? gate.lastUsed() : noUse,
  ])
  return rows.map((key) => ({ key, lastUsedAt: lastUsed[key.id] ?? null }))
}

export interface ListedKey {
  readonly key: typeof apiKeys.$inferSelect
  /** In ms since the epoch. Null if the key was never used. */
  readonly lastUsedAt: number | null
}

export async function listKeyNames(db: Database, tenantId: string): Promise<ReadonlyMap<string, string>> {
  const { id, name } = apiKeys
  const rows = await db.select({ id, name }).from(apiKeys).where(eq(apiKeys.tenantId, tenantId))
  return new Map(rows.map((key) => [key.id, key.name]))
}

/** Revokes a key. Throws 404 if the tenant has no such key. */
export async function revokeApiKey(
  { db, gate, pictures }: { readonly db: Database; readonly gate: GateStub; readonly pictures: R2Bucket },
  tenantId: string,
  keyId: string,
  authorship: Authorship,
): Promise<void> {
  const isKey = and(eq(apiKeys.tenantId, tenantId), eq(apiKeys.id, keyId))
  const subject = sql`(SELECT name || ' (' || prefix || '…)' FROM ${apiKeys} WHERE ${isKey})`
  const entry = { holderId: merchantOf(db, tenantId), action: 'key.revoked', subject } as const
  const exists = hasRow(apiKeys, isKey)
  const data = sql`(
    SELECT json_object('api_key', json_object('id', id, 'name', name, 'prefix', prefix), 'by', ${authorship.by.name})
    FROM ${apiKeys} WHERE ${isKey})`
  const event = { tenantId, event: 'api_key.revoked', subject: keyId, data } as const
  const { deleted, tenant } = await runBatch(db, {
    // The entry and the event read the key's name, so they come before the deletion.
    entry: recordEntry(db, entry, authorship, exists),
    event: storeAccountEvent(db, event, exists, authorship.at),
    deleted: db.delete(apiKeys).where(isKey).returning({ id: apiKeys.id }),
    tenant: gateQuery(db, tenantId),
  })
  // Repeated calls notify the gate again, because the first call may have failed to reach it.
  if (tenant[0]?.hasGate === true) await gate.forget()
  if (deleted.length === 0) throw new ApiError('api_key_not_found')
  await tryToRecordDeletion(pictures, { kind: 'api-key', id: keyId }, authorship.at)
}
