import { describe, expect, it } from 'vitest'
import { boundText } from '../../../src/platform/limits/bound-text.ts'
import { createLimit } from '../../../src/platform/limits/limit.ts'
import { createPageBudget } from '../../../src/platform/limits/step-size.ts'
import { createYieldAfter } from '../../../src/platform/limits/yield-to-event-loop.ts'
import { createVirtualClock } from '../../support/simulation/virtual-clock.ts'

describe('text that is stored or answered', () => {
  it.each([
    ['short', 5, 'short'],
    ['longer', 5, 'long…'],
    ['abc😀d', 5, 'abc…'],
    ['a\ud83d', 5, 'a\ufffd'],
  ])('%j is bounded to %i characters: %j', (text, maxLength, bounded) => {
    expect(boundText(text, maxLength)).toBe(bounded)
  })
})

describe('a loop over input', () => {
  it('yields once for each 100,000 units of work, and not otherwise', async () => {
    let yields = 0
    const yieldAfter = createYieldAfter(async () => void (await Promise.resolve(yields++)))
    for (let i = 0; i < 1000; i++) await yieldAfter(999)
    expect(yields).toBe(9)
    await yieldAfter(1_000_000)
    expect(yields).toBe(10)
  })
})

describe('a limit of one caller in all', () => {
  const limits = { perKey: 1, inAll: 1, maxWaitMs: 10_000, busy: () => new Error('busy') }

  /** Each look at the clock takes a millisecond; whoever sleeps is woken in turn. */
  function newClock() {
    let ms = 1
    return { now: () => ms++, sleep: async () => await Promise.resolve(), skip: (more: number) => void (ms += more) }
  }

  it('goes from key to key, so that one with many callers delays no other', async () => {
    const withSlot = createLimit(limits, newClock())
    const order: string[] = []
    const callers = ['a', 'a', 'a', 'a', 'b', 'c', 'b']
    await Promise.all(callers.map(async (key) => await withSlot(key, async () => void order.push(key))))
    expect(order).toEqual(['a', 'b', 'c', 'a', 'b', 'a', 'a'])
  })

  it('refuses callers above its limits, in all and of one key', async () => {
    const withSlot = createLimit({ ...limits, waitingInAll: 4, waitingPerKey: 2 }, newClock())
    const caller = async (key: string) => await withSlot(key, async () => {}).catch((error: Error) => error.message)
    const results = await Promise.all(['a', 'a', 'a', 'a', 'b', 'b', 'c'].map(caller))
    // The first one had the slot at once, and waited for nobody.
    expect(results).toEqual([undefined, undefined, undefined, 'busy', undefined, undefined, 'busy'])
  })

  it('skips callers that were cancelled', async () => {
    const clock = newClock()
    let isCancelled = false
    const never = new Promise<never>(() => {})
    const sleep = async () => (isCancelled ? await never : await clock.sleep())
    const withSlot = createLimit(limits, { now: clock.now, sleep })
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const holder = withSlot('holder', async () => await released)
    isCancelled = true
    void withSlot('cancelled', async () => {})
    isCancelled = false
    const waiting = withSlot('other', async () => 'served')
    clock.skip(3000)
    release()
    await holder
    expect(await waiting).toBe('served')
  })
})

describe('a limit for each key', () => {
  it('admits as many callers of a key as its limit, and more once some have ended or were cancelled', async () => {
    let ms = 0
    // The timers of a cancelled invocation do not run.
    const clock = { now: () => ms, sleep: async () => await new Promise<never>(() => {}) }
    const busy = () => new Error('busy')
    const admit = createLimit({ perKey: 2, maxWaitMs: 0, busy }, clock)
    const done = async () => await Promise.resolve('done')
    void admit('a', clock.sleep)
    void admit('a', clock.sleep)
    await scheduler.wait(0)
    ms += 1999
    await expect(admit('a', done)).rejects.toThrow('busy')
    expect(await admit('b', done)).toBe('done')
    ms += 1
    expect(await admit('a', done)).toBe('done')
  })

  it('lets the first callers of a key act, each later one when another ends, and refuses one that waits too long', async () => {
    const clock = createVirtualClock(0, async () => await scheduler.wait(0))
    const busy = () => new Error('busy')
    const limits = { perKey: 2, maxWaitMs: 1000, busy }
    const admit = createLimit(limits, clock)
    const acting: string[] = []
    const act = (name: string, ms: number) => async () => {
      acting.push(`${name} at ${clock.now()}`)
      await clock.sleep(ms)
    }
    const all = Promise.all([
      admit('a', act('first', 490)),
      admit('a', act('second', 5000)),
      admit('a', act('third', 5000)),
      admit('a', act('fourth', 0)).catch(() => acting.push(`fourth refused at ${clock.now()}`)),
      admit('b', act('other', 0)),
    ])
    await clock.runUntil(() => acting.length === 5)
    expect(acting).toEqual(['first at 0', 'second at 0', 'other at 0', 'third at 500', 'fourth refused at 1000'])
    await clock.runUntil(() => clock.now() === 5500)
    await all
  })
})

describe('a page by bytes', () => {
  it('takes at least one row, and more as long as their bytes fit', () => {
    const isOfPage = createPageBudget(10)
    const bytesOf = (text: string) => new TextEncoder().encode(text)
    expect(['äää', 'abcd', 'e'].map((text) => isOfPage(bytesOf(text)))).toEqual([true, true, false])
    expect(createPageBudget(2)(bytesOf('äää'))).toBe(true)
  })
})
