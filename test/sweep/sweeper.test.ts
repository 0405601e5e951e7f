import { inArray } from 'drizzle-orm'
import { expect, it, vi } from 'vitest'
import { accountDatabase, listDatabases } from '../../src/db/databases/find-database.ts'
import { databases } from '../../src/db/schema.ts'
import { wakeSweepers } from '../../src/sweep/sweeper.ts'
import { bindings } from '../service.ts'

it('each database is swept, and its size stored', async () => {
  const numbers = listDatabases(bindings)
  const startedAt = Date.now()
  await wakeSweepers(bindings)
  const states = async () =>
    await accountDatabase(bindings).select().from(databases).where(inArray(databases.number, numbers))
  await vi.waitFor(
    async () => {
      const swept = (await states()).filter(({ sweptAt, bytes }) => sweptAt >= startedAt && bytes > 0)
      expect(swept.map(({ number }) => number).sort()).toEqual(numbers)
    },
    { timeout: 60_000, interval: 50 },
  )
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
