import { switchedOff } from '../../../src/events/delivery-error.ts'
/**
 * `node test/bench/database/removal.ts`: measures how long deleting a large tenant's data keeps the database busy.
 * Creates `--rows 1000000` expired garments, each with a delivery and an attempt, and newer ones of other tenants. Then
 * deletes them as the sweep does. Also ends a tenant's pending deliveries, and enqueues overdue deliveries of another
 * tenant, a tenth as many. Prints times of statements, and latencies of another tenant's reads and uploads with and
 * without the deletion.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { openDatabase } from '../../../src/platform/db/database.ts'
import { removeExpiredGarments } from '../../../src/garments/remove-expired-garments.ts'
import { removeExpiredDeliveries } from '../../../src/webhooks/maintain-webhooks.ts'
import { continueEndings, endPendingDeliveries } from '../../../src/events/end-deliveries.ts'
import { sweepDeliveries } from '../../../src/webhooks/sweep-deliveries.ts'
import { quantile } from '../../support/quantile.ts'
import { fillDatabase } from './fill-database.ts'
import { compareOthers } from './measure-others.ts'
import { openTimedDatabase } from './timed-database.ts'

const { values } = parseArgs({ options: { rows: { type: 'string', default: '1000000' } } })
const rows = Number(values.rows)
const folder = mkdtempSync(join(tmpdir(), 'garment-tagging-'))
const say = (text: string) => process.stdout.write(`${text}\n`)

const day = 24 * 3600_000
const nowMs = Date.UTC(2026, 10, 21)

try {
  const timed = openTimedDatabase(join(folder, 'removal.sqlite'))
  const db = openDatabase(timed.binding)
  fillDatabase(timed.file, { rows, pending: Math.ceil(rows / 10), expiredAt: nowMs - 400 * day, nowMs })
  say(`${rows} expired garments with deliveries, ${Math.ceil(rows / 10)} pending deliveries`)

  const report = (what: string) => {
    const statements = timed.takeStatements()
    const times = statements.map(({ ms }) => ms)
    const total = times.reduce((sum, ms) => sum + ms, 0)
    const [longest] = statements.toSorted((a, b) => b.ms - a.ms)
    say(
      `${what}: ${times.length} statements, median ${quantile(times, 0.5).toFixed(1)} ms, ` +
        `99th percentile ${quantile(times, 0.99).toFixed(1)} ms, longest ${longest?.ms.toFixed(1)} ms, ${total.toFixed(0)} ms in all`,
    )
    say(`  longest: ${longest?.sql.replaceAll(/\s+/g, ' ').slice(0, 100)}`)
  }

  const queue = { sent: [] as { tenantId: string }[] }
  const webhookQueue = {
    sendBatch: async (messages: { body: { tenantId: string } }[]) =>
      void queue.sent.push(...messages.map(({ body }) => body)),
  } as unknown as Env['WEBHOOK_QUEUE']
  for (const sweep of ['first', 'second']) {
    await sweepDeliveries({ db, queue: webhookQueue }, nowMs)
    const ofOther = queue.sent.filter(({ tenantId }) => tenantId === 'other').length
    report(`${sweep} sweep of overdue deliveries, ${ofOther} of the other tenant's sent`)
  }
  await endPendingDeliveries(db, 'large', 'first', switchedOff, nowMs)
  report('switching a webhook off')
  while ((await continueEndings(db, nowMs)) > 0);
  report('ending the pending deliveries')

  const pictures = { delete: async () => {} } as unknown as R2Bucket
  const tenants = ['large', 'other'].map((id) => ({ id, beforeMs: nowMs - 365 * 24 * 3600_000 }))
  async function removeAsSweep(): Promise<number> {
    let removed = 0
    for (let step = 0; step < 20; step++) removed += await removeExpiredGarments({ db, pictures }, tenants, 500)
    for (let step = 0; step < 20; step++) removed += await removeExpiredDeliveries(db, tenants, nowMs, 500)
    return removed
  }
  await removeAsSweep()
  report('the first sweep of the removal')
  const removals = { name: 'removal', sweep: removeAsSweep, hasMore: (minutes: number) => minutes < 2 }
  for (const line of (await compareOthers(db, nowMs, removals)).lines) say(line)
  timed.takeStatements()
  while ((await removeAsSweep()) > 0);
  report('the rest of the removal')
} finally {
  rmSync(folder, { recursive: true, force: true })
}
