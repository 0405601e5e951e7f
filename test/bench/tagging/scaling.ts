/**
 * `node --import ./test/fuzz/load-wasm.ts test/bench/tagging/scaling.ts`: how tagging scales with its consumers,
 * simulated on a virtual clock: throughput and messages of a backlog with 1, 4 and 16 consumers, how soon a new
 * tenant's turn comes while 1,000 tenants wait, garments a second of few tenants behind a queue that takes its time,
 * and what dead image hosts cost others. `--garments 800` of each of 100 tenants; `--only backlogs`, `new-tenant`,
 * `latencies` or `hosts`. Exits with 1 if a figure misses its goal.
 */
import process from 'node:process'
import { setImmediate as turn } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openDatabase } from '../../../src/platform/db/database.ts'
import { parseSettings } from '../../../src/settings.ts'
import { sweepGarments } from '../../../src/tagging/sweep-garments.ts'
import { quantile } from '../../support/quantile.ts'
import { simulateTagging } from '../../support/simulation/simulate-tagging.ts'
import { createVirtualClock } from '../../support/simulation/virtual-clock.ts'
import { openMemoryDatabase } from './memory-database.ts'

const { values } = parseArgs({ options: { garments: { type: 'string', default: '80' }, only: { type: 'string' } } })
const garments = Number(values.garments)
const tagMs = 200
const settings = parseSettings({
  JWT_SECRET: 'for simulations only, for simulations only',
  ENCRYPTION_KEY: 'dGVzdHMgb25seSwgdGVzdHMgb25seSwgdGVzdHMgb24=',
})
const pictures = { put: async () => null } as unknown as R2Bucket

console.info = console.warn = () => {}

function check(what: string, figure: number, isGood: boolean): void {
  process.stdout.write(`${isGood ? 'ok    ' : 'MISSED'} ${what}: ${figure.toFixed(2)}\n`)
  if (!isGood) process.exitCode = 1
}

function start(consumers: number, latencyMs = 0) {
  const { binding, database } = openMemoryDatabase()
  const clock = createVirtualClock(Date.UTC(2026, 10, 21), async () => await turn())
  const db = openDatabase(binding)
  const simulation = simulateTagging({ db, clock, settings, consumers, pictures, latencyMs })
  const sweep = () => {
    void sweepGarments({ db, queue: simulation.queue }, clock.now())
    clock.after(60_000, sweep)
  }
  clock.after(60_000, sweep)
  return { ...simulation, clock, database }
}

async function backlog(consumers: number): Promise<number> {
  const { clock, upload, tagged, messages, slotShare, close } = start(consumers)
  const [tenants, startedAt] = [100, clock.now()]
  for (let i = 0; i < garments; i++)
    for (let tenant = 0; tenant < tenants; tenant++) await upload(`t${tenant}`, `g${i}`)
  await clock.runUntil(() => tagged() === tenants * garments)
  close()
  const seconds = (clock.now() - startedAt) / 1000
  check(`consumers ${consumers}, messages a garment`, messages() / tagged(), messages() <= 1.2 * tagged())
  check(`consumers ${consumers}, share of time with the slot taken`, slotShare(), slotShare() >= 0.85)
  return tagged() / seconds
}

async function newTenant(consumers: number): Promise<void> {
  const { clock, upload, close, database } = start(consumers)
  const tenants = 1000
  for (let i = 0; i < 50; i++) for (let tenant = 0; tenant < tenants; tenant++) await upload(`t${tenant}`, `g${i}`)
  const ended = database.prepare(
    "SELECT ended_at - created_at AS ms FROM garments WHERE tenant_id = 'new' AND ended_at > 0",
  )
  for (const afterS of [1, 500]) {
    const from = clock.now() + afterS * 1000
    await clock.runUntil(() => clock.now() >= from)
    database.exec("DELETE FROM garments WHERE tenant_id = 'new'")
    await upload('new', 'g')
    let ms: number | undefined
    await clock.runUntil(() => (ms = ended.get()?.['ms'] as number | undefined) !== undefined)
    const share = (ms ?? Infinity) / ((tenants * tagMs) / consumers)
    check(`consumers ${consumers}, a new tenant after ${afterS} s, in fair shares`, share, share <= 2)
  }
  close()
}

/** Returns the 95th percentile of the time from upload to result of 60 tenants, while others have dead hosts. */
async function deadHosts(dead: number, consumers: number): Promise<number> {
  const { clock, upload, close, database } = start(consumers)
  const until = clock.now() + 20 * 60_000
  for (let i = 0; i < 200; i++)
    for (let tenant = 0; tenant < dead; tenant++) await upload(`dead${tenant}`, `g${i}`, 'dead:x')
  for (let i = 0; clock.now() < until; i++) {
    await upload(`t${i % 60}`, `g${i}`)
    const next = clock.now() + 400
    await clock.runUntil(() => clock.now() >= next)
  }
  close()
  const rows = database
    .prepare("SELECT ended_at - created_at AS ms, tries FROM garments WHERE tenant_id LIKE 't%'")
    .all()
  const lost = rows.filter(({ ms, tries }) => ms !== null && tries !== 1).length
  check(`dead hosts of ${dead} tenants, tries that others lost`, lost, lost === 0)
  const longestS = Math.max(...rows.map(({ ms }) => Number(ms))) / 1000
  check(`dead hosts of ${dead} tenants, longest wait of others in s`, longestS, longestS <= 10)
  return quantile(
    rows.map(({ ms }) => (ms as number | null) ?? Infinity).sort((a, b) => a - b),
    0.95,
  )
}

async function backlogs(): Promise<void> {
  const alone = await backlog(1)
  check('consumers 1, garments a second', alone, true)
  for (const consumers of [4, 16]) {
    const share = (await backlog(consumers)) / alone / consumers
    check(`consumers ${consumers}, throughput beside that many times one`, share, share >= 0.9)
  }
}

/** Garments a second of a few tenants with many waiting, behind a queue that takes `latencyMs` for a message. */
async function throughput(tenants: number, latencyMs: number): Promise<number> {
  const { clock, upload, tagged, close } = start(32, latencyMs)
  const each = 600
  for (let i = 0; i < each; i++) for (let tenant = 0; tenant < tenants; tenant++) await upload(`t${tenant}`, `g${i}`)
  const startedAt = clock.now()
  await clock.runUntil(() => tagged() >= tenants * each * 0.9)
  close()
  return tagged() / ((clock.now() - startedAt) / 1000)
}

async function latencies(): Promise<void> {
  for (const latencyMs of [0, 500, 1000, 2000]) {
    const alone = await throughput(1, latencyMs)
    check(`latency ${latencyMs} ms, garments a second of one tenant`, alone, latencyMs !== 1000 || alone >= 14)
    check(`latency ${latencyMs} ms, garments a second of five tenants`, await throughput(5, latencyMs), true)
  }
}

/** Each consumer carries three tenants with dead hosts and 200 garments each. A single consumer is slower. */
async function hosts(): Promise<void> {
  for (const consumers of [1, 4, 32]) {
    const without = await deadHosts(0, consumers)
    const dead = 3 * consumers
    const ratio = (await deadHosts(dead, consumers)) / without
    check(
      `dead hosts of ${dead} tenants, 95th percentile of others beside none`,
      ratio,
      ratio <= (consumers === 1 ? 3 : 2),
    )
  }
}

const parts: Readonly<Record<string, () => Promise<void>>> = {
  backlogs,
  'new-tenant': async () => await newTenant(4),
  latencies,
  hosts,
}
for (const part of values.only === undefined ? Object.keys(parts) : [values.only]) await parts[part]?.()
