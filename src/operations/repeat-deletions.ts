import { and, asc, eq, gt, gte, sql, type SQL } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { type Database, inValues, runBatch } from '../platform/db/database.ts'
import { accountDatabase, databaseNumberOf, firstDatabase, getDatabase, isIn } from '../platform/db/databases.ts'
import {
  apiKeys,
  binnedGarments,
  databases,
  garments,
  invitations,
  members,
  passwordResets,
  tenantPurges,
  tenants,
  tenantState,
} from '../platform/db/schema.ts'
import { listDeletions, type RecordedDeletion } from '../platform/deletions.ts'
import { removeBinned, removedColumns } from '../garments/bin.ts'
import type { ExpiredGarment } from '../garments/remove-expired-garments.ts'
import { removeStatements } from '../garments/transitions.ts'
import { deleteMerchants } from '../accounts/merchant.ts'
import { forgetKeys } from '../accounts/delete-tenant.ts'
import { hourMs } from '../time.ts'
import { removeDeliveries } from '../events/delivery-transitions.ts'

/** A garment takes 7 statements, and an invocation may make 1,000. */
const deletionsInStep = 100

const tenantsInStatement = 1000

/** What was under way at the restored moment counts as later. */
const marginMs = hourMs

/** A database that was restored to an earlier time. */
export interface Restore {
  /** The last sweep that the restored database knows of. */
  readonly toMs: number
  /** The last deletion that was repeated; null before the first. */
  readonly last: string | null
}

type RestoreEnv = Pick<Env, 'DB' | 'GATE' | 'PICTURES'>

/** When a database was last swept, as it says itself. */
export async function readSweptAt(db: Database, number: number): Promise<number | undefined> {
  const [row] = await db.select({ at: databases.sweptAt }).from(databases).where(eq(databases.number, number))
  return row?.at
}

/**
 * The restore that shows in what a database says of its last sweep, beside what its sweeper remembers. One without
 * memory is new, or that of an account into which an export was read. Null if there was none.
 */
export function findRestore(ofDatabase: number | undefined, ofSweeper: number | undefined): Restore | null {
  if (ofSweeper === undefined ? ofDatabase === undefined : (ofDatabase ?? 0) >= ofSweeper) return null
  return { toMs: ofDatabase ?? 0, last: null }
}

/**
 * One step of repeating what people deleted since the moment to which a database was restored; the first also gives the
 * tenants that are younger than that their row again. Returns the next step, or null after the last. Safe to repeat.
 */
export async function repeatDeletions(
  env: RestoreEnv,
  number: number,
  { toMs, last }: Restore,
  nowMs: number,
): Promise<Restore | null> {
  if (last === null) {
    if (number === firstDatabase) await endSessions(accountDatabase(env), nowMs)
    await hostTenants(env, number, toMs - marginMs)
  }
  const page = await listDeletions(env.PICTURES, last ?? Math.max(toMs - marginMs, 0), deletionsInStep)
  const idsOf = (kind: RecordedDeletion['kind']) =>
    page.deletions.flatMap((deletion) => (deletion.kind === kind && 'id' in deletion ? deletion.id : []))
  await deleteTenants(env, number, idsOf('tenant'), nowMs)
  if (number === firstDatabase) {
    await deleteKeys(env, idsOf('api-key'))
    await deleteMerchants(accountDatabase(env), idsOf('merchant'), nowMs)
  }
  await deleteGarments({ db: getDatabase(env, number), pictures: env.PICTURES }, number, page.deletions, nowMs)
  return page.last === null ? null : { toMs, last: page.last }
}

/**
 * Ends all sessions, access tokens and links, of which some may have been ended, used or withdrawn since. Marks all
 * tenants, since their gates may have read keys since.
 */
async function endSessions(accounts: Database, nowMs: number): Promise<void> {
  // Not by 1: after several changes since, that would make an ended session valid. No member has had so many changes.
  const next = sql`max(${members.sessionVersion} + 1, ${Math.floor(nowMs / 1000)})`
  await runBatch(accounts, {
    sessions: accounts.update(members).set({ sessionVersion: next }),
    resets: accounts.delete(passwordResets),
    invitations: accounts.delete(invitations),
    gates: accounts.update(tenants).set({ hasGate: true }),
  })
}

/**
 * Stores the rows of tenants that have an account and belong here.
 */
async function hostTenants(env: RestoreEnv, number: number, sinceMs: number): Promise<void> {
  for (let after: string | undefined = ''; after !== undefined;) {
    const found: { id: string; createdAt: number }[] = await accountDatabase(env)
      .select({ id: tenants.id, createdAt: tenants.createdAt })
      .from(tenants)
      .where(and(isIn(number, tenants.id), gt(tenants.id, after), gte(tenants.createdAt, sinceMs)))
      .orderBy(asc(tenants.id))
      .limit(tenantsInStatement)
    const rows = JSON.stringify(found.map(({ id, createdAt }) => [id, createdAt]))
    if (found.length > 0)
      await getDatabase(env, number).run(sql`
        INSERT OR IGNORE INTO ${tenantState} (tenant_id, created_at)
        SELECT value ->> 0, value ->> 1 FROM json_each(${rows})`)
    after = found.at(-1)?.id
  }
}

/** Hides those of these tenants that came back, here or as accounts, and leaves the rest of them to the sweep. */
async function deleteTenants(env: RestoreEnv, number: number, ids: readonly string[], nowMs: number): Promise<void> {
  if (ids.length === 0) return
  const accounts = accountDatabase(env)
  const db = getDatabase(env, number)
  const purge = (found: SQL) =>
    sql`INSERT OR IGNORE INTO ${tenantPurges} (tenant_id, requested_at, next_at) SELECT id, ${nowMs}, ${nowMs} FROM ${found}`
  const hosted = await db
    .select({ id: tenantState.tenantId })
    .from(tenantState)
    .where(inValues(tenantState.tenantId, ids))
  await accounts.run(purge(sql`(SELECT value AS id FROM json_each(${JSON.stringify(hosted.map(({ id }) => id))}))`))
  await db.delete(tenantState).where(inValues(tenantState.tenantId, ids))
  if (number !== firstDatabase) return
  const found = sql`${tenants} WHERE ${inValues(tenants.id, ids)}`
  const { deleted } = await runBatch(accounts, {
    purge: purge(found),
    deleted: sql<{ readonly id: string; readonly domain: string }>`DELETE FROM ${found} RETURNING id, domain`,
  })
  for (const [other, group] of Map.groupBy(deleted, ({ id }) => databaseNumberOf(id)))
    await getDatabase(env, other)
      .delete(tenantState)
      .where(
        inValues(
          tenantState.tenantId,
          group.map(({ id }) => id),
        ),
      )
  await forgetAll(env, deleted)
}

async function deleteKeys(env: RestoreEnv, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const domain = sql<string | null>`(SELECT domain FROM ${tenants} WHERE id = ${apiKeys.tenantId})`
  const keys = await accountDatabase(env).delete(apiKeys).where(inValues(apiKeys.id, ids)).returning({ domain })
  await forgetAll(env, keys)
}

/** Their gates may have read keys while these were back. A key's domain is null if its tenant is deleted. */
async function forgetAll(env: RestoreEnv, rows: readonly { readonly domain: string | null }[]): Promise<void> {
  const domains = new Set(rows.flatMap(({ domain }) => domain ?? []))
  await Promise.all([...domains].map(async (domain) => await forgetKeys(env, domain)))
}

/**
 * Deletes the garments again that are older than their deletion; one that was uploaded since is another. Nobody is told
 * again, and the deliveries of what was deleted go with it.
 */
async function deleteGarments(
  { db, pictures }: { readonly db: Database; readonly pictures: R2Bucket },
  number: number,
  deletions: readonly RecordedDeletion[],
  nowMs: number,
): Promise<void> {
  const keys = deletions.flatMap((deletion) =>
    deletion.kind === 'garment' && databaseNumberOf(deletion.tenantId) === number
      ? [[deletion.tenantId, deletion.uuid, deletion.at]]
      : [],
  )
  if (keys.length === 0) return
  const gone = (table: SQLiteTable) => sql`
    FROM json_each(${JSON.stringify(keys)}) AS gone CROSS JOIN ${table}
    WHERE tenant_id = gone.value ->> 0 AND uuid = gone.value ->> 1 AND created_at < gone.value ->> 2`
  const revived = await db.all<{ tenantId: string; uuid: string }>(
    sql`SELECT DISTINCT tenant_id AS tenantId, uuid ${gone(garments)}`,
  )
  const binned = await db.all<ExpiredGarment>(sql`SELECT DISTINCT ${removedColumns} ${gone(binnedGarments)}`)
  await removeBinned({ db, pictures }, binned, nowMs)
  if (revived.length === 0) return
  await runBatch(db, {
    removed: revived.flatMap(({ tenantId, uuid }) => [
      ...removeDeliveries(db, { tenantId, garmentUuid: uuid, when: sql`1` }, nowMs),
      ...Object.values(removeStatements(tenantId, uuid, nowMs)),
    ]),
  })
}
