import { describe, expect, it } from 'vitest'
import { openDatabase } from '../../src/db/client.ts'
import { bindings } from '../service.ts'
import { wrapDatabase } from '../support/wrap-database.ts'
import { answerTo, countsOn, newMonth, newSecondOpinion, standIn } from './stand-in.ts'

describe('the budget of a month', () => {
  /** 1,500 tokens for a dollar each, and one tenant may spend all. */
  const dear = { SECOND_OPINION_PRICE_DOLLARS: 1e6 / 1500, SECOND_OPINION_TENANT_PERCENT: 100 }

  it('holds over isolates, which hear of each other after each batch', async () => {
    const nowMs = newMonth()
    const { binding, inputs } = standIn(async (input) => answerTo(input))
    const settings = { ...dear, SECOND_OPINION_BUDGET_DOLLARS: 4.5 }
    const isolates = [newSecondOpinion(binding, settings, nowMs), newSecondOpinion(binding, settings, nowMs)]
    for (let batch = 0; batch < 10; batch++)
      for (const { ask, flush } of isolates) {
        await ask()
        await flush()
      }
    // Each may be ahead of the other by the batch that is under way.
    expect(inputs.length).toBeGreaterThanOrEqual(4)
    expect(inputs.length).toBeLessThanOrEqual(5)
  })

  it('is read by an isolate that has just begun, and starts again with the next month', async () => {
    const nowMs = newMonth()
    const { binding, inputs } = standIn(async (input) => answerTo(input))
    const settings = { ...dear, SECOND_OPINION_BUDGET_DOLLARS: 2 }
    const first = newSecondOpinion(binding, settings, nowMs)
    for (let i = 0; i < 2; i++) await first.ask()
    await first.flush()
    const second = newSecondOpinion(binding, settings, nowMs)
    expect(await second.ask()).toBe(undefined)
    expect(inputs.length).toBe(2)
    second.clock.now = newMonth()
    expect(await second.ask()).toBeDefined()
  })

  it('of 0 asks nobody', async () => {
    const { binding, inputs } = standIn(async (input) => answerTo(input))
    const { ask } = newSecondOpinion(binding, { SECOND_OPINION_BUDGET_DOLLARS: 0 })
    expect(await ask()).toBe(undefined)
    expect(inputs.length).toBe(0)
  })

  it('keeps what could not be stored for the next time, and asks nobody while it cannot be read', async () => {
    const { binding, inputs } = standIn(async (input) => answerTo(input))
    const { ask, deps, clock, flush } = newSecondOpinion(binding)
    const broken = openDatabase(
      wrapDatabase(bindings.DB, async () => {
        throw new Error('Network connection lost.')
      }),
    )
    await ask()
    await deps.spending.flush(broken, clock.now)
    await ask()
    await flush()
    expect(await countsOn(clock.now)).toEqual({ answered: 2 })
    const unreadable = newSecondOpinion(binding)
    Object.assign(unreadable.deps, { db: broken })
    expect(await unreadable.ask()).toBe(undefined)
    expect(inputs.length).toBe(2)
  })
})
