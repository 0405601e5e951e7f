import { type Database, newId } from '../platform/db/database.ts'
import {
  findOverdue,
  type OverdueTenant,
  requeueDue,
  startLackingTurns,
  type SweepTimes,
  type TaggingMessage,
} from '../garments/turns.ts'
import { enqueueAll, lostBefore } from '../platform/queue/enqueue.ts'

/** These steps keep each statement below 50 ms, because the database runs one statement at a time. */
const tenantsToFind = 1000
const tenantsInStep = 500
const garmentsInStep = 500

/** Enough statements for the garments of some 12,000 tenants. The platform allows an invocation 1,000. */
const maxStatements = 90

/** Sorts after every tenant id. */
const lastTenantId = '\u{10ffff}'

interface Sweep {
  readonly db: Database
  readonly queue: Queue<TaggingMessage>
  readonly times: SweepTimes
  statements: number
  enqueued: number
}

/**
 * Enqueues garments whose message or run was lost, within the statements of one sweep. Starts at a random tenant, so
 * that all are reached over several sweeps. Returns how many were enqueued.
 */
export async function sweepGarments(
  { db, queue }: Pick<Sweep, 'db' | 'queue'>,
  nowMs: number,
  startTenantId = newId(),
): Promise<number> {
  const times = { nowMs, ...(await lostBefore(queue, nowMs)) }
  const sweep: Sweep = { db, queue, times, statements: 0, enqueued: 0 }
  await sweepRange(sweep, startTenantId, lastTenantId)
  await sweepRange(sweep, '', startTenantId)
  return sweep.enqueued
}

async function sweepRange(sweep: Sweep, from: string, to: string): Promise<void> {
  let after = from
  while (sweep.statements++ < maxStatements) {
    const range = { after, to, maxTenants: tenantsToFind }
    const rows = await sweep.db.all<OverdueTenant>(findOverdue(range, sweep.times))
    const visited = rows.pop()
    if (visited === undefined) return
    const idsOf = (which: 'isOverdue' | 'lacksTurn') =>
      rows.filter((row) => row[which] === 1).map((row) => row.tenantId)
    await startTurns(sweep, idsOf('lacksTurn'))
    await requeueAll(sweep, idsOf('isOverdue'))
    after = visited.tenantId
  }
}

async function startTurns(sweep: Sweep, tenantIds: readonly string[]): Promise<void> {
  for (let i = 0; i < tenantIds.length && sweep.statements++ < maxStatements; i += tenantsInStep) {
    const some = tenantIds.slice(i, i + tenantsInStep)
    await enqueueSwept(sweep, await startLackingTurns(sweep.db, some, sweep.times.nowMs))
  }
}

/** Tenants take turns, so that a long backlog of one cannot delay the others. */
async function requeueAll(sweep: Sweep, tenantIds: readonly string[]): Promise<void> {
  let tenants = tenantIds
  while (tenants.length > 0 && sweep.statements++ < maxStatements) {
    const first = tenants.slice(0, tenantsInStep)
    const share = Math.max(1, Math.floor(garmentsInStep / first.length))
    const messages = await requeueDue(sweep.db, first, share, sweep.times)
    await enqueueSwept(sweep, messages)
    const byTenant = Map.groupBy(messages, ({ tenantId }) => tenantId)
    const unfinished = first.filter((id) => byTenant.get(id)?.length === share)
    tenants = [...tenants.slice(tenantsInStep), ...unfinished]
  }
}

async function enqueueSwept(sweep: Sweep, messages: readonly TaggingMessage[]): Promise<void> {
  await enqueueAll(sweep.queue, messages)
  sweep.enqueued += messages.length
}
