/**
 * `node --js-base-64 test/bench/hostile/storage.ts`: how much one new account grows the database by one kind of action,
 * repeated until it is refused or `--times 2000` is reached. The service's own statements write everything. Fails if
 * the file grows by more than three times the bytes that were counted, or if the bytes counted exceed the quota.
 */
import process from 'node:process'
import { parseArgs } from 'node:util'
import { recordEntry } from '../../../src/accounts/audit.ts'
import { findStored, quotasOf } from '../../../src/accounts/quotas.ts'
import { startDeliveries } from '../../../src/events/delivery-transitions.ts'
import { pictureAt } from '../../../src/garments/pictures/garment-picture.ts'
import { uploadGarment } from '../../../src/garments/upload-garment.ts'
import { storeLines } from '../../../src/imports/store-import-lines.ts'
import { trimRecords } from '../../../src/operations/trim-records.ts'
import { type Database, openDatabase, runBatch } from '../../../src/platform/db/database.ts'
import { newTenantId } from '../../../src/platform/db/databases.ts'
import { webhookEndpoints } from '../../../src/platform/db/schema.ts'
import { ApiError } from '../../../src/platform/http/errors.ts'
import { parseSettings } from '../../../src/settings.ts'
import { attemptDelivery, attemptDeps } from '../../../src/webhooks/deliveries/attempt-delivery.ts'
import { redeliver } from '../../../src/webhooks/deliveries/redeliver.ts'
import { deliverGarment, insertReceiver } from '../../support/stored-garment/deliver-garment.ts'
import { openMemoryDatabase } from '../tagging/memory-database.ts'
import { sql } from 'drizzle-orm'

const { values } = parseArgs({ options: { times: { type: 'string', default: '2000' } } })
const settings = parseSettings({
  JWT_SECRET: 'x'.repeat(32),
  ENCRYPTION_KEY: `${'A'.repeat(43)}=`,
  ALLOW_LOCAL_TARGETS: 'true',
  MAX_ROW_MEGABYTES: '2',
})
const startMs = Date.UTC(2026, 10, 21)
const maxRatio = 3
const sweepEvery = 50
/** Rows of an import whose lines were refused. */
const maxOvershoot = 2000

interface Attacker {
  readonly binding: D1Database
  readonly db: Database
  readonly tenantId: string
}

const by = { kind: 'member', id: 'm', name: 'Ann' } as const
const limits = { maxWaiting: 1e9, quotas: quotasOf(settings, startMs) }
const origin = 'https://tagging.example'
const queue = { send: async () => {}, sendBatch: async () => {} } as unknown as Queue
const longAnswer = { ok: true, status: 200, error: null, body: 'x'.repeat(1024), retryAfter: null, durationMs: 1 }

const upload = async ({ db, tenantId }: Attacker, uuid: string, attribute: Record<string, string>, pictures = 1) =>
  await uploadGarment(
    db,
    tenantId,
    {
      uuid,
      attribute,
      origin,
      pictures: Array.from({ length: pictures }, (_, i) => pictureAt(`https://a.example/${uuid}/${i}`)),
    },
    { ...limits, nowMs: startMs },
  )

const realistic = async ({ binding, tenantId }: Attacker, i: number) =>
  await deliverGarment(binding, { tenantId, uuid: `g${i}`, nowMs: startMs + i, seed: i }, limits)

/** Each action is what an account repeats. `i` counts from 0. */
const actions: Readonly<Record<string, (attacker: Attacker, i: number) => Promise<unknown>>> = {
  'realistic garments that are tagged and delivered': realistic,
  'uploads with hardly any text': async (attacker, i) => await upload(attacker, `g${i}`, {}),
  'uploads of eight pictures': async (attacker, i) => await upload(attacker, `g${i}`, {}, 8),
  'uploads with 25 kB of attributes': async (attacker, i) =>
    await upload(
      attacker,
      `g${i}`,
      Object.fromEntries(Array.from({ length: 50 }, (_, k) => [`Name ${k}`, 'x'.repeat(512)])),
    ),
  'redeliveries that are answered with 1 KiB': async (attacker, i) => {
    const { db, tenantId } = attacker
    const uuid = `g${Math.floor(i / 20)}`
    if (i % 20 === 0) await realistic(attacker, i / 20)
    const nowMs = startMs + 3600_000 + i
    const row = await redeliver(db, queue, tenantId, uuid, nowMs)
    const deps = { ...attemptDeps(db, queue, settings), call: async () => longAnswer, now: () => nowMs }
    const message = { tenantId, deliveryId: row.id, endpointId: row.endpointId, attempt: row.attemptCount + 1 }
    await attemptDelivery({ ...message, requestId: undefined }, deps)
  },
  'corrections that are sent to five endpoints': async (attacker, i) => {
    const { db, tenantId } = attacker
    if (i === 0)
      for (const id of ['a', 'b', 'c', 'd'])
        await db.insert(webhookEndpoints).values({
          tenantId,
          id,
          enabled: true,
          url: 'https://r.example/',
          events: ['tagging.corrected'],
          createdAt: 0,
          updatedAt: 0,
        })
    await upload(attacker, `g${i}`, {})
    const started = { event: 'tagging.corrected', tenantId, garmentUuid: `g${i}`, when: sql`1` } as const
    await runBatch(db, { started: startDeliveries(db, started, startMs).statements })
  },
  'changes that the audit log records': async ({ db, tenantId }, i) =>
    await runBatch(db, {
      entry: recordEntry(
        db,
        { holderId: tenantId, action: 'webhook.changed', subject: `${i}${'x'.repeat(300)}` },
        { by, at: startMs + i },
        sql`1`,
      ),
    }),
  'imports of one line': async ({ db, tenantId }, i) => {
    const text = `uuid,image_url\ng${i},https://a.example/${i}\n`
    const id = await storeLines({ db, settings }, tenantId, { name: 'x', text, by, origin }, startMs + i)
    await db.run(sql`UPDATE imports SET ended_at = ${startMs} WHERE tenant_id = ${tenantId}`)
    return id
  },
}

// Hides the log lines of attempts.
console.info = () => {}

let missed = 0
for (const [name, act] of Object.entries(actions)) {
  const { database, binding } = openMemoryDatabase()
  const attacker = { binding, db: openDatabase(binding), tenantId: newTenantId(1) }
  const { db, tenantId } = attacker
  await insertReceiver(binding, tenantId)
  const size = () =>
    Number(database.prepare("SELECT sum(pgsize) AS bytes FROM dbstat WHERE name <> 'sqlite_schema'").get()?.['bytes'])
  const before = size()
  let [count, outcome] = [0, 'not refused']
  for (; count < Number(values.times) && outcome === 'not refused'; count++) {
    await act(attacker, count).catch((error: unknown) => {
      if (!(error instanceof ApiError)) throw error
      outcome = `refused: ${error.problems[0]}`
    })
    if (count % sweepEvery === 0) await trimRecords(db, settings, startMs + 7_200_000)
  }
  for (let sweep = 0; sweep < 10; sweep++) await trimRecords(db, settings, startMs + 7_200_000)
  const { row_bytes: counted } = await findStored(db, tenantId)
  const grown = size() - before
  const isMissed = grown > maxRatio * counted || counted > limits.quotas.row_bytes + maxOvershoot
  if (isMissed) missed++
  process.stdout.write(
    `${name}: ${count} times, ${outcome}\n  ${Math.round(grown / 1000)} kB of the file, ${Math.round(counted / 1000)} kB ` +
      `counted, ${(grown / counted).toFixed(2)} times${isMissed ? ' MISSED' : ''}\n`,
  )
  database.close()
}
process.exitCode = missed === 0 ? 0 : 1
