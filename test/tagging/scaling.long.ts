import { eq, inArray } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { openDatabase } from '../../src/platform/db/database.ts'
import { garments, tenantCounters } from '../../src/platform/db/schema.ts'
import type { TaggingMessage } from '../../src/garments/turns.ts'
import { settingsOf } from '../../src/settings.ts'
import { sweepGarments } from '../../src/tagging/sweep-garments.ts'
import { bindings } from '../service.ts'
import { quantile } from '../support/quantile.ts'
import { simulateTagging } from '../support/simulation/simulate-tagging.ts'
import { createVirtualClock } from '../support/simulation/virtual-clock.ts'
import { wrapDatabase } from '../support/wrap-database.ts'
import { db } from './scene.ts'

/**
 * In the future, because otherwise the service's own sweep would find these garments overdue and tag them too.
 */
const startMs = Date.UTC(2126, 10, 21, 12)

/** Starts a simulation with the real database. The virtual clock waits for the database. */
function start(consumers: number) {
  let [calls, made, settled] = [0, 0, 0]
  const counted = wrapDatabase(bindings.DB, async (run) => {
    calls++
    made++
    try {
      return await run()
    } finally {
      calls--
    }
  })
  const turn = async () => await new Promise((resolve) => setTimeout(resolve, 0))
  const clock = createVirtualClock(startMs, async () => {
    await turn()
    // A timer without database calls is done in one turn. Work between two calls may take several turns.
    for (let quietTurns = made === settled ? 5 : 0; quietTurns < 5;) {
      await turn()
      quietTurns = calls > 0 ? 0 : quietTurns + 1
    }
    settled = made
  })
  const pictures = { put: async () => null } as unknown as R2Bucket
  const settings = settingsOf(bindings)
  return { ...simulateTagging({ db: openDatabase(counted), clock, settings, consumers, pictures }), clock }
}

const newTenants = (count: number) => Array.from({ length: count }, () => crypto.randomUUID())

/** Keeps only messages of these tenants, because test files share a database with garments of other tests. */
const onlyOf = (tenants: readonly string[], queue: Queue<TaggingMessage>) =>
  ({
    sendBatch: async (messages: MessageSendRequest<TaggingMessage>[]) =>
      await queue.sendBatch(messages.filter(({ body }) => tenants.includes(body.tenantId))),
  }) as Queue<TaggingMessage>

async function tagBacklog(consumers: number) {
  const { clock, upload, tagged, messages, close, queue } = start(consumers)
  const tenants = newTenants(6)
  for (const tenant of tenants) for (let i = 0; i < 10; i++) await upload(tenant, `g${i}`)
  await clock.runUntil(() => tagged() === 30)
  await sweepGarments({ db, queue: onlyOf(tenants, queue) }, clock.now())
  const half = await db.select().from(garments).where(inArray(garments.tenantId, tenants))
  await clock.runUntil(() => tagged() === 60)
  close()
  const doneOf = (tenant: string) =>
    half.filter(({ tenantId, endedAt }) => tenantId === tenant && endedAt !== null).length
  return { tookMs: clock.now() - startMs, messages: messages(), done: tenants.map(doneOf), tenants }
}

describe('tagging of a backlog', () => {
  it('costs one message a garment, takes the tenants in turn, and is faster with more consumers', async () => {
    const [one, four] = [await tagBacklog(1), await tagBacklog(4)]
    expect([one.messages, four.messages]).toEqual([60, 60])
    expect(Math.min(...one.done)).toBeGreaterThanOrEqual(2)
    expect(one.tookMs / four.tookMs).toBeGreaterThan(2)
    for (const { tenants } of [one, four])
      expect(await db.$count(garments, inArray(garments.tenantId, tenants))).toBe(60)
  })

  it('continues beside tenants whose image hosts are dead, and costs the others no try', async () => {
    const { clock, upload, tagged, close } = start(1)
    const [dead, others] = [newTenants(6), newTenants(4)]
    for (let i = 0; i < 5; i++) {
      for (const tenant of dead) await upload(tenant, `g${i}`, 'dead:x')
      for (const tenant of others) await upload(tenant, `g${i}`)
    }
    await clock.runUntil(() => tagged() === 20)
    const seconds = (clock.now() - startMs) / 1000
    await clock.runUntil(() => clock.now() > startMs + 60_000)
    close()
    // Each host lets a request wait for 15 s.
    expect(seconds).toBeLessThan(15)
    const rows = await db.select().from(garments).where(inArray(garments.tenantId, others))
    expect(rows.map(({ status, tries }) => [status, tries])).toEqual(rows.map(() => ['complete', 1]))
  })

  it('takes others at most twice as long beside six tenants whose image hosts are dead', async () => {
    async function tookMs(deadTenants: number): Promise<number> {
      const { clock, upload, close } = start(1)
      const [dead, others] = [newTenants(deadTenants), newTenants(10)]
      for (const tenant of dead) for (let i = 0; i < 4; i++) await upload(tenant, `g${i}`, 'dead:x')
      for (let i = 0; i < 120; i++) {
        await upload(others[i % others.length] ?? '', `g${i}`)
        let isOver = false
        clock.after(i < 119 ? 400 : 30_000, () => (isOver = true))
        await clock.runUntil(() => isOver)
      }
      close()
      const rows = await db.select().from(garments).where(inArray(garments.tenantId, others))
      expect(rows.map(({ status, tries }) => [status, tries])).toEqual(rows.map(() => ['complete', 1]))
      const times = rows.map(({ createdAt, endedAt }) => (endedAt ?? Infinity) - createdAt)
      return quantile(
        times.toSorted((a, b) => a - b),
        0.95,
      )
    }
    expect((await tookMs(6)) / (await tookMs(0))).toBeLessThanOrEqual(2)
  })

  it('goes on beside a garment of the same tenant whose host is dead', async () => {
    const { clock, upload, tagged, close } = start(1)
    const [tenant = ''] = newTenants(1)
    await upload(tenant, 'dead', 'dead:x')
    for (let i = 0; i < 9; i++) await upload(tenant, `g${i}`)
    await clock.runUntil(() => tagged() === 9)
    // After the dead garment's first try, and long before its last.
    expect((clock.now() - startMs) / 1000).toBeLessThan(25)
    close()
  })

  it('leaves no row of a turn behind', async () => {
    const { clock, upload, tagged, close } = start(2)
    const [tenant = ''] = newTenants(1)
    for (let i = 0; i < 15; i++) await upload(tenant, `g${i}`)
    await clock.runUntil(() => tagged() === 15)
    await clock.runUntil(() => true)
    close()
    const [row] = await db.select().from(tenantCounters).where(eq(tenantCounters.tenantId, tenant))
    expect(row?.waiting).toBe(0)
  })
})
