import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { inArray } from 'drizzle-orm'
import { expect, it, vi } from 'vitest'
import { accountDatabase, listDatabases } from '../../src/platform/db/databases.ts'
import { databases } from '../../src/platform/db/schema.ts'
import { wakeSweepers } from '../../src/operations/sweeper.ts'
import { minuteMs } from '../../src/time.ts'
import { bindings, everyDatabase } from '../service.ts'

it('each database is swept, and its size stored', async () => {
  const numbers = listDatabases(bindings)
  const startedAt = Date.now()
  const changeAlarms = async (change: (storage: DurableObjectStorage) => Promise<void>) => {
    for (const number of numbers)
      await runInDurableObject(bindings.SWEEPER.getByName(String(number)), async (_, { storage }) => {
        await change(storage)
      })
  }
  // Garments that other files have stored and left would be tagged now.
  for (const db of everyDatabase()) await db.$client.exec('UPDATE garments SET queued_at = NULL, due_at = NULL')
  await changeAlarms(async (storage) => await storage.deleteAlarm())
  await wakeSweepers(bindings)
  const states = async () =>
    await accountDatabase(bindings).select().from(databases).where(inArray(databases.number, numbers))
  await vi.waitFor(
    async () => {
      const swept = (await states()).filter(({ sweptAt, bytes }) => sweptAt >= startedAt && bytes > 0)
      expect(swept.map(({ number }) => number).sort()).toEqual(numbers)
    },
    { timeout: 300_000, interval: 50 },
  )
  // The next ones would fall into other tests.
  await changeAlarms(async (storage) => await storage.setAlarm(Date.UTC(2100)))
})

it('a sweeper that is woken again keeps its time, and a sweep schedules the next a minute later', async () => {
  const sweeper = bindings.SWEEPER.getByName(crypto.randomUUID())
  const alarm = async () => await runInDurableObject(sweeper, async (_, { storage }) => await storage.getAlarm())
  await runInDurableObject(sweeper, async (_, { storage }) => {
    storage.kv.put('database', 1)
    await storage.setAlarm(Date.UTC(2100))
  })
  await sweeper.wake(1)
  expect(await alarm()).toBe(Date.UTC(2100))
  const before = Date.now()
  await runDurableObjectAlarm(sweeper)
  expect(await alarm()).toBeGreaterThanOrEqual(before + minuteMs)
  expect(await alarm()).toBeLessThanOrEqual(Date.now() + minuteMs)
  await runInDurableObject(sweeper, async (_, { storage }) => await storage.deleteAlarm())
})

it('a sweeper that cannot be woken keeps no other from its work', async () => {
  const woken: number[] = []
  const SWEEPER = {
    getByName: (name: string) => ({
      wake: async (number: number) => {
        if (name === '1') throw new Error('Network connection lost.')
        woken.push(number)
      },
    }),
  }
  await wakeSweepers({ ...bindings, DB7: bindings.DB, DB8: bindings.DB, SWEEPER } as unknown as Env)
  expect(woken).toEqual(expect.arrayContaining([7, 8]))
})
