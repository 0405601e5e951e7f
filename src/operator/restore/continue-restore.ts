import { and, asc, gt, sql } from 'drizzle-orm'
import { batchRaw } from '../../db/batch-raw.ts'
import { databaseNumberOf, firstDatabase, isIn } from '../../db/databases/database-number.ts'
import type { Database } from '../../db/client.ts'
import { accountDatabase, getDatabase } from '../../db/databases/find-database.ts'
import { apiKeys, tenantState, invitations, members, passwordResets, tenantPurges, tenants } from '../../db/schema.ts'
import { inValues } from '../../db/in-values.ts'
import { deleteMerchants } from '../../merchant/delete-merchant.ts'
import { confirmTenants } from '../../tenant/confirm-tenants.ts'
import { forgetKeys } from '../../tenant/delete-tenant.ts'
import { listTombstones, tombstoneKinds } from '../../tombstone/tombstone.ts'
import { nextCursor, type Position } from './step-cursor.ts'

const tenantsInStep = 500

/** In this order; each is one or more steps. */
export const restoreParts = ['sessions', ...tombstoneKinds, 'unconfirm', 'confirm', 'host'] as const

export interface RestoreStep {
  /** Accounts, keys and tenants that had come back. */
  readonly deleted: number
  /** Tenants that have an account, but had no row here. */
  readonly hosted: number
  /** For the next step; null after the last one. */
  readonly cursor: string | null
}

/**
 * One step of repairing a database that was restored to an earlier time: ends sessions and links, deletes what was
 * deleted since again, and adds the rows of tenants whose accounts are newer. Every step may be repeated.
 */
export async function continueRestore(
  env: Pick<Env, 'DB' | 'GATE' | 'PICTURES'>,
  number: number,
  { part, at }: Position<(typeof restoreParts)[number]>,
  nowMs: number,
): Promise<RestoreStep> {
  const step = (rest: string | undefined, counts: Partial<RestoreStep> = {}): RestoreStep => ({
    deleted: 0,
    hosted: 0,
    ...counts,
    cursor: nextCursor(restoreParts, part, rest),
  })
  const accounts = accountDatabase(env)
  const db = getDatabase(env, number)
  if (part === 'unconfirm') {
    await db.update(tenantState).set({ isConfirmed: false })
    return step(undefined)
  }
  if (part === 'confirm') {
    const { compared, unknown } = await confirmTenants({ accounts, db }, nowMs)
    return step(compared > 0 ? '' : undefined, { deleted: unknown })
  }
  if (part === 'host') {
    const { last, hosted } = await hostTenants(env, number, at)
    return step(last, { hosted })
  }
  const isFirst = number === firstDatabase
  // The accounts are in the first database, and only they came back with it.
  if (!isFirst && part !== 'tenant') return step(undefined)
  if (part === 'sessions') {
    await endSessions(accounts, nowMs)
    return step(undefined)
  }
  const { ids, cursor } = await listTombstones(env.PICTURES, part, at === '' ? undefined : at)
  const deleteThem = isFirst ? deleteAccounts(env, part, ids, nowMs) : hideTenants(env, number, ids, nowMs)
  return step(cursor, { deleted: await deleteThem })
}

/** Ends all sessions, access tokens and links, of which some may have been ended, used or withdrawn since. */
async function endSessions(accounts: Database, nowMs: number): Promise<void> {
  // Not by 1: after several changes since, that would make an ended session valid. No member has had so many changes.
  const next = sql`max(${members.sessionVersion} + 1, ${Math.floor(nowMs / 1000)})`
  await accounts.batch([
    accounts.update(members).set({ sessionVersion: next }),
    accounts.delete(passwordResets),
    accounts.delete(invitations),
  ])
}

/** Hides at once those of these tenants that the restore brought back, and schedules their purge. Returns how many. */
async function hideTenants(env: Pick<Env, 'DB'>, number: number, ids: readonly string[], nowMs: number) {
  const isOne = inValues(tenantState.tenantId, ids)
  const rows = await getDatabase(env, number).select({ id: tenantState.tenantId }).from(tenantState).where(isOne)
  const revived = rows.map(({ id }) => id)
  if (revived.length === 0) return 0
  await accountDatabase(env).run(sql`
    INSERT OR IGNORE INTO ${tenantPurges} (tenant_id, requested_at, next_at)
    SELECT value, ${nowMs}, ${nowMs} FROM json_each(${JSON.stringify(revived)})`)
  await unhost(env, revived)
  return revived.length
}

/** Deletes those of these that came back with the accounts. Returns how many. */
async function deleteAccounts(
  env: Pick<Env, 'DB' | 'GATE'>,
  kind: (typeof tombstoneKinds)[number],
  ids: readonly string[],
  nowMs: number,
): Promise<number> {
  if (ids.length === 0) return 0
  const db = accountDatabase(env)
  // One that has a tenant would be an account whose tenant has no record of its deletion: it is left to the operator.
  if (kind === 'merchant') return await deleteMerchants(db, ids)
  if (kind === 'api-key') {
    const domain = sql<string | null>`(SELECT domain FROM ${tenants} WHERE id = ${apiKeys.tenantId})`
    const keys = await db.delete(apiKeys).where(inValues(apiKeys.id, ids)).returning({ domain })
    await forgetAll(env, keys)
    return keys.length
  }
  const found = sql`${tenants} WHERE ${inValues(tenants.id, ids)}`
  // As `deleteTenant` does it: the sweep removes everything else.
  const [, deleted] = await batchRaw(db, [
    sql`INSERT OR IGNORE INTO ${tenantPurges} (tenant_id, requested_at, next_at) SELECT id, ${nowMs}, ${nowMs} FROM ${found}`,
    sql`DELETE FROM ${found} RETURNING id, domain`,
  ])
  const rows = (deleted?.results ?? []) as { readonly id: string; readonly domain: string }[]
  const deletedIds = rows.map(({ id }) => id)
  await Promise.all([forgetAll(env, rows), unhost(env, deletedIds)])
  return rows.length
}

/** Their gates may have read keys while these were back. A key's domain is null if its tenant is deleted. */
async function forgetAll(env: Pick<Env, 'GATE'>, rows: readonly { readonly domain: string | null }[]): Promise<void> {
  const domains = new Set(rows.flatMap(({ domain }) => domain ?? []))
  await Promise.all([...domains].map(async (domain) => await forgetKeys(env, domain)))
}

/** At once, so that nothing of theirs is shown. */
async function unhost(env: Pick<Env, 'DB'>, tenantIds: readonly string[]): Promise<void> {
  for (const [number, ids] of Map.groupBy(tenantIds, databaseNumberOf))
    await getDatabase(env, number).run(sql`
      DELETE FROM ${tenantState} WHERE tenant_id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`)
}

/**
 * Stores the rows of the next tenants that have an account and belong here. Returns the last one that was checked. What
 * they had chosen is lost: they may have forbidden second opinions, so these have to be allowed again.
 */
async function hostTenants(env: Pick<Env, 'DB'>, number: number, after: string) {
  const found = await accountDatabase(env)
    .select({ id: tenants.id, createdAt: tenants.createdAt })
    .from(tenants)
    .where(and(isIn(number, tenants.id), gt(tenants.id, after)))
    .orderBy(asc(tenants.id))
    .limit(tenantsInStep)
  if (found.length === 0) return { last: undefined, hosted: 0 }
  const rows = JSON.stringify(found.map(({ id, createdAt }) => [id, createdAt]))
  const { meta } = await getDatabase(env, number).run(sql`
    INSERT OR IGNORE INTO ${tenantState} (tenant_id, created_at, allows_opinion)
    SELECT value ->> 0, value ->> 1, 0 FROM json_each(${rows})`)
  return { last: found.at(-1)?.id, hosted: meta.changes }
}
