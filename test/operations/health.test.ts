import { beforeEach, expect, it } from 'vitest'
import { checkHealth } from '../../src/operations/health.ts'
import { bindings } from '../service.ts'
import { openDatabase } from '../../src/platform/db/database.ts'
import { databases } from '../../src/platform/db/schema.ts'
import { wrapDatabase } from '../support/wrap-database.ts'

/** What other tests of this isolate have asked is forgotten by then. */
const nowMs = Date.now() + 20_000

// The tests of other files may have swept long ago, or by clocks of their own.
beforeEach(async () => {
  await openDatabase(bindings.DB)
    .update(databases)
    .set({ sweptAt: nowMs + 60_000 })
})

/** Databases of which each call waits for `answer`, and the number of calls. */
function asked(answer: () => Promise<void>) {
  const calls = { count: 0 }
  const DB = wrapDatabase(bindings.DB, async (run) => {
    calls.count++
    await answer()
    return await run()
  })
  const ask = async (atMs: number) =>
    await checkHealth({ DB }, atMs).then(
      () => 200,
      () => 503,
    )
  return { ask, calls }
}

it('databases that do not respond are asked once in ten seconds', async () => {
  const { ask, calls } = asked(async () => await Promise.reject(new Error('down')))
  expect(await ask(nowMs)).toBe(503)
  const once = calls.count
  expect(await Promise.all([ask(nowMs), ask(nowMs + 9000)])).toEqual([503, 503])
  expect([once > 0, calls.count]).toEqual([true, once])
  expect(await ask(nowMs + 10_000)).toBe(503)
  expect(calls.count).toBe(2 * once)
})

it('who asks while the databases are read gets the former answer, and reads nothing', async () => {
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
  const { ask, calls } = asked(async () => await isReleased)
  const first = ask(nowMs + 60_000)
  // From the test before.
  expect(await Promise.all([ask(nowMs + 60_000), ask(nowMs + 61_000)])).toEqual([503, 503])
  expect(calls.count).toBe(1)
  release()
  expect([await first, await ask(nowMs + 62_000)]).toEqual([200, 200])
})
