import { switchedOff } from '../../../src/events/delivery-error.ts'
/**
 * `node --js-base-64 test/bench/database/sweep.ts [--tenants 100000]`: measures the cost of the sweep in a database
 * with that many tenants: with nothing due; with one overdue garment for 40 % of them and 1,000 for one tenant,
 * together with the latency of another tenant's requests; and with a disabled webhook that has ten times as many
 * pending deliveries. Prints statements, CPU time and minutes with their goals, and fails if a goal is missed.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { openDatabase } from '../../../src/platform/db/database.ts'
import { sweepDatabase } from '../../../src/operations/sweep.ts'
import { endPendingDeliveries } from '../../../src/events/end-deliveries.ts'
import { compareOthers } from './measure-others.ts'
import { openTimedDatabase } from './timed-database.ts'

const { values } = parseArgs({ options: { tenants: { type: 'string', default: '100000' } } })
const tenants = Number(values.tenants)
const overdue = Math.ceil(tenants * 0.4)
const ofOne = 1000
const pending = tenants * 10
const hour = 3600_000
const folder = mkdtempSync(join(tmpdir(), 'garment-tagging-'))

let missed = 0
function report(what: string, value: number, goal: number, unit: string): void {
  const isMissed = value > goal
  if (isMissed) missed++
  const text = `${what}: ${value.toLocaleString('en', { maximumFractionDigits: 2, useGrouping: false })} ${unit}, at most ${goal}${isMissed ? ' MISSED' : ''}`
  process.stdout.write(`${text}\n`)
}

const numbers = (count: number) => `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`

try {
  const timed = openTimedDatabase(join(folder, 'sweep.sqlite'))
  const nowMs = Date.now()
  timed.file.exec(`PRAGMA synchronous = OFF; PRAGMA cache_size = -2000; BEGIN;
    ${numbers(tenants)} INSERT INTO merchants (id, company, created_at) SELECT 't' || i, '', 0 FROM n;
    ${numbers(tenants)} INSERT INTO tenant_state (tenant_id, domain, expiry_check_at, created_at)
    SELECT 't' || i, 't' || i, ${nowMs + 24 * hour}, 0 FROM n;
    ${numbers(tenants)} INSERT INTO tenants (id, merchant_id, domain, name, description, settings, created_at)
    SELECT 't' || i, 't' || i, 't' || i, '', '', '{}', 0 FROM n;
    ${numbers(tenants)} INSERT INTO webhook_endpoints (tenant_id, id, enabled, url, key_id, events, created_at, updated_at)
    SELECT 't' || i, 'first', 1, 'https://r.example/', 'key', '[]', 0, 0 FROM n;
    ${numbers(tenants)} INSERT INTO tenant_counters (tenant_id, waiting, max_waiting) SELECT 't' || i, 0, 1000 FROM n;
    ${numbers(tenants)} INSERT INTO garments (tenant_id, uuid, number, row_bytes, attribute, origin, status, revision, created_at, ended_at)
    SELECT 't' || i, 'old', 100000 + i, 0, '{}', '', 'complete', 'p' || i, ${nowMs}, ${nowMs} FROM n;
    COMMIT; ANALYZE`)

  const enqueued = { garments: 0, deliveries: 0 }
  const queue = (which: keyof typeof enqueued) => ({
    sendBatch: async (messages: unknown[]) => void (enqueued[which] += messages.length),
    metrics: async () => ({ backlogCount: 0 }),
  })
  let prepared = 0
  const binding = {
    prepare: (text: string) => (prepared++, timed.binding.prepare(text)),
    batch: async (statements: D1PreparedStatement[]) => await timed.binding.batch(statements),
  }
  const env = {
    DB: binding,
    PICTURES: {},
    TAGGING_QUEUE: queue('garments'),
    WEBHOOK_QUEUE: queue('deliveries'),
    JWT_SECRET: 'for this measurement only, for this measurement only',
    ENCRYPTION_KEY: 'dGVzdHMgb25seSwgdGVzdHMgb25seSwgdGVzdHMgb24=',
  } as unknown as Env
  // Hides log lines about enqueued work.
  console.warn = () => {}

  async function sweep(atMs: number) {
    timed.takeStatements()
    prepared = 0
    await sweepDatabase(env, 1, atMs)
    return { count: prepared, ms: timed.takeStatements().reduce((sum, { ms }) => sum + ms, 0) }
  }

  await sweep(nowMs)
  const idle = await sweep(nowMs)
  report(`${tenants} tenants with nothing due: statements`, idle.count, 20, 'statements')
  report(`${tenants} tenants with nothing due: processor time`, idle.ms, 60, 'ms')

  timed.file
    .exec(`INSERT INTO garments (tenant_id, uuid, number, row_bytes, attribute, origin, status, revision, created_at, due_at)
    ${numbers(overdue)} SELECT 't' || i, 'lost', 100000 + i, 0, '{}', '', 'queuing', 'p', ${nowMs - hour}, 1 FROM n;
    INSERT INTO garments (tenant_id, uuid, number, row_bytes, attribute, origin, status, revision, created_at, due_at)
    ${numbers(ofOne)} SELECT 't1', 'lost-' || i, 100000 + i, 0, '{}', '', 'queuing', 'p', ${nowMs - hour}, 1 FROM n`)
  enqueued.garments = 0
  let [minutes, most] = [0, 0]
  const hasMore = () => enqueued.garments < overdue + ofOne && minutes < 60
  // Garments enqueued before are not due again yet, because their messages have half their age.
  const sweepOverdue = async () => {
    most = Math.max(most, (await sweep(nowMs + minutes++ * 1000)).count)
  }
  const others = await compareOthers(openDatabase(timed.binding), nowMs, {
    name: 'a sweep of overdue garments',
    sweep: sweepOverdue,
    hasMore,
  })
  report(
    `${overdue} overdue garments of as many tenants and ${ofOne} of one, all enqueued after`,
    minutes,
    5,
    'minutes',
  )
  report('statements of one such sweep', most, 1000, 'statements')
  process.stdout.write(`${others.lines.join('\n')}\n`)
  report("another tenant's 95th percentile in these minutes", others.ratio, 1.2, 'of that without')

  timed.file
    .exec(`INSERT INTO deliveries (id, tenant_id, garment_uuid, kind, endpoint_id, status, due_at, created_at, updated_at)
    ${numbers(pending)} SELECT 'd' || i, 't1', 'g' || i, 'tagging', 'first', 'pending', ${nowMs + hour} + i, ${nowMs}, ${nowMs} FROM n`)
  timed.takeStatements()
  await endPendingDeliveries(openDatabase(timed.binding), 't1', 'first', switchedOff, nowMs)
  report(`switching a webhook off with ${pending} pending deliveries`, timed.takeStatements().length, 10, 'statements')
  process.exitCode = missed === 0 ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
