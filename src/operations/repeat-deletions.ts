import { and, eq, gt, gte, lt, sql } from 'drizzle-orm'
import { operator } from '../accounts/audit.ts'
import { forgetKeys } from '../accounts/delete-tenant.ts'
import { deleteMerchants } from '../accounts/merchant.ts'
import { eraseGarments } from '../garments/bin.ts'
import { deleteGarment } from '../garments/delete-garment.ts'
import { type Database, runBatch } from '../platform/db/database.ts'
import { accountDatabase, databaseNumberOf, firstDatabase, getDatabase, isIn } from '../platform/db/databases.ts'
import {
  apiKeys,
  binnedGarments,
  garments,
  invitations,
  members,
  passwordResets,
  tenantPurges,
  tenants,
  tenantState,
} from '../platform/db/schema.ts'
import { type Deletion, listDeletions, type RecordedDeletion } from '../platform/deletions.ts'
import { hourMs } from '../time.ts'

/** A deletion makes at most 20 queries, and an invocation may make 1,000. */
const deletionsInCall = 40

/** Work that was in progress at the restored moment counts as later. */
const marginMs = hourMs

type RepeatEnv = Pick<Env, 'DB' | 'GATE' | 'PICTURES' | 'TAGGING_QUEUE' | 'WEBHOOK_QUEUE'>

export interface RepeatedDeletions {
  readonly database: number
  readonly fromMs: number
  readonly cursor?: string | undefined
}

/**
 * Repeats the deletions made after the moment `fromMs` to which a database was restored. The first call, without a
 * cursor, also restores the rows of newer tenants. If the accounts were restored, it ends all sessions and links. Safe
 * to repeat. The last call returns a null cursor.
 */
export async function repeatDeletions(
  env: RepeatEnv,
  { database, fromMs, cursor }: RepeatedDeletions,
  nowMs: number,
): Promise<{ readonly count: number; readonly nextCursor: string | null }> {
  const sinceMs = Math.max(fromMs - marginMs, 0)
  if (cursor === undefined) {
    if (database === firstDatabase) await endSessions(accountDatabase(env), nowMs)
    await hostTenants(env, database, sinceMs)
  }
  const page = await listDeletions(env.PICTURES, cursor ?? sinceMs, deletionsInCall)
  for (const deletion of page.deletions) await repeatDeletion(env, database, deletion, nowMs)
  return { count: page.deletions.length, nextCursor: page.last }
}

async function endSessions(accounts: Database, nowMs: number): Promise<void> {
  // Uses the time in seconds, which is higher than any version. Adding 1 could reach the version of an ended session.
  const next = sql`max(${members.sessionVersion} + 1, ${Math.floor(nowMs / 1000)})`
  await runBatch(accounts, {
    sessions: accounts.update(members).set({ sessionVersion: next }),
    resets: accounts.delete(passwordResets),
    invitations: accounts.delete(invitations),
    // Any gate may have read keys since the restored moment.
    gates: accounts.update(tenants).set({ hasGate: true }),
  })
}

/** Rows per statement, which has at most 100 parameters. */
const rowsInStatement = 25

async function hostTenants(env: RepeatEnv, database: number, sinceMs: number): Promise<void> {
  const db = getDatabase(env, database)
  for (let after: string | undefined = ''; after !== undefined;) {
    const found: (typeof tenantState.$inferInsert)[] = await accountDatabase(env)
      .select({ tenantId: tenants.id, domain: tenants.domain, createdAt: tenants.createdAt })
      .from(tenants)
      .where(and(isIn(database, tenants.id), gt(tenants.id, after), gte(tenants.createdAt, sinceMs)))
      .orderBy(tenants.id)
      .limit(rowsInStatement)
    if (found.length > 0) await db.insert(tenantState).values(found).onConflictDoNothing()
    after = found.at(-1)?.tenantId
  }
}

async function repeatDeletion(env: RepeatEnv, database: number, deletion: RecordedDeletion, nowMs: number) {
  if (deletion.kind === 'garment') {
    if (databaseNumberOf(deletion.tenantId) === database) await repeatGarment(env, deletion, nowMs)
  } else if (deletion.kind === 'tenant') await repeatTenant(env, deletion.id, nowMs)
  else if (database !== firstDatabase) return
  else if (deletion.kind === 'api-key') await repeatApiKey(env, deletion.id)
  else await deleteMerchants(accountDatabase(env), [deletion.id], nowMs)
}

/** Deletes a garment that is older than its recorded deletion. A garment uploaded again since then stays. */
async function repeatGarment(
  { DB, PICTURES: pictures, TAGGING_QUEUE: taggingQueue, WEBHOOK_QUEUE: webhookQueue, ...env }: RepeatEnv,
  { tenantId, uuid, at }: Extract<Deletion, { kind: 'garment' }> & { readonly at: number },
  nowMs: number,
): Promise<void> {
  const db = getDatabase({ DB, ...env }, databaseNumberOf(tenantId))
  const isOlder = (table: typeof garments | typeof binnedGarments) =>
    and(eq(table.tenantId, tenantId), eq(table.uuid, uuid), lt(table.createdAt, at))
  if ((await db.$count(garments, isOlder(garments))) > 0)
    await deleteGarment({ db, pictures, taggingQueue, webhookQueue }, tenantId, uuid, nowMs, operator)
  if ((await db.$count(binnedGarments, isOlder(binnedGarments))) > 0)
    await eraseGarments({ db, pictures }, tenantId, [uuid], nowMs, operator)
}

/** Deletes the account and row of a restored tenant. The sweep removes the tenant's other rows. */
async function repeatTenant(env: RepeatEnv, id: string, nowMs: number): Promise<void> {
  const accounts = accountDatabase(env)
  const { deleted } = await runBatch(accounts, {
    deleted: accounts.delete(tenants).where(eq(tenants.id, id)).returning({ domain: tenants.domain }),
    purge: accounts
      .insert(tenantPurges)
      .values({ tenantId: id, requestedAt: nowMs, nextAt: nowMs })
      .onConflictDoNothing(),
  })
  await getDatabase(env, databaseNumberOf(id)).delete(tenantState).where(eq(tenantState.tenantId, id))
  for (const { domain } of deleted) await forgetKeys(env, domain)
}

async function repeatApiKey(env: RepeatEnv, id: string): Promise<void> {
  // Null if the key's tenant was deleted too.
  const domain = sql<string | null>`(SELECT domain FROM ${tenants} WHERE id = ${apiKeys.tenantId})`
  const deleted = await accountDatabase(env).delete(apiKeys).where(eq(apiKeys.id, id)).returning({ domain })
  // The gate may have read the restored key.
  for (const key of deleted) if (key.domain !== null) await forgetKeys(env, key.domain)
}
