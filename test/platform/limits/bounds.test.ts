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

describe('a limit on callers that act at a time', () => {
  const busy = () => new Error('busy')
  const oneInAll = { perKey: 1, inAll: 1, maxWaitMs: 10_000, maxActMs: 2000, busy }
  const newClock = () => createVirtualClock(0, async () => await scheduler.wait(0))
  const done = async () => await Promise.resolve('done')

  it('serves a single caller of a key soon, beside a key with many', async () => {
    const clock = newClock()
    const withSlot = createLimit(oneInAll, clock)
    const order: string[] = []
    const act = (key: string) => async () => {
      order.push(key)
      await clock.sleep(100)
    }
    const callers = [...Array<string>(20).fill('many'), 'single']
    let isDone = false
    void Promise.all(callers.map(async (key) => await withSlot(key, act(key)))).then(() => (isDone = true))
    await clock.runUntil(() => isDone)
    expect(order.indexOf('single')).toBeLessThan(6)
  })

  it('refuses callers above its limits of waiting callers, in all and of one key', async () => {
    const clock = newClock()
    const withSlot = createLimit({ ...oneInAll, waitingInAll: 4, waitingPerKey: 2 }, clock)
    const caller = async (key: string) => await withSlot(key, done).catch((error: Error) => error.message)
    let results: unknown
    void Promise.all(['a', 'a', 'a', 'a', 'b', 'b', 'c'].map(caller)).then((all) => (results = all))
    await clock.runUntil(() => results !== undefined)
    // The first caller had the slot at once and did not wait.
    expect(results).toEqual(['done', 'done', 'done', 'busy', 'done', 'done', 'busy'])
  })

  it('admits others once a caller has acted for too long, which a cancelled one may seem to', async () => {
    const clock = newClock()
    const admit = createLimit({ perKey: 2, maxWaitMs: 0, maxActMs: 2000, busy }, clock)
    const never = async () => await new Promise<never>(() => {})
    let extend = () => {}
    void admit('a', never)
    void admit('a', async (more) => {
      extend = more
      await never()
    })
    const isOver = { at: 0 }
    for (const ms of [1500, 2000, 3000]) clock.after(ms, () => (isOver.at = ms))
    await clock.runUntil(() => isOver.at === 1500)
    extend()
    await expect(admit('a', done)).rejects.toThrow('busy')
    expect(await admit('b', done)).toBe('done')
    await clock.runUntil(() => isOver.at === 2000)
    expect(await admit('a', done)).toBe('done')
    void admit('a', never)
    await clock.runUntil(() => isOver.at === 3000)
    // One caller has said that it makes progress.
    await expect(admit('a', done)).rejects.toThrow('busy')
  })

  it('starts a waiting caller of a key when another ends, and refuses one that waits too long', async () => {
    const clock = newClock()
    const admit = createLimit({ perKey: 2, maxWaitMs: 1000, maxActMs: 60_000, busy }, clock)
    const acting: string[] = []
    const act = (name: string, ms: number) => async () => {
      acting.push(`${name} at ${clock.now()}`)
      await clock.sleep(ms)
    }
    const all = Promise.all([
      admit('a', act('first', 490)),
      admit('a', act('second', 5000)),
      admit('a', act('third', 5000)),
      admit('b', act('other', 0)),
    ])
    await clock.runUntil(() => acting.length === 4)
    expect(acting).toEqual(['first at 0', 'second at 0', 'other at 0', 'third at 500'])
    const refused = admit('a', act('fourth', 0)).catch(() => acting.push(`fourth refused at ${clock.now()}`))
    await clock.runUntil(() => acting.length === 5)
    expect(acting.at(-1)).toBe('fourth refused at 1500')
    clock.after(10_000, () => {})
    await clock.runUntil(() => clock.now() > 10_000)
    await Promise.all([all, refused])
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
