import { describe, expect, it } from 'vitest'
import { createBreaker } from '../../src/second-opinion/create-breaker.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const noon = Date.UTC(2026, 10, 21, 12)

/** How long after the last failure somebody is asked again, in ms. */
function pauseOf(breaker: ReturnType<typeof createBreaker>, nowMs: number): number {
  let after = 0
  while (!breaker.admit(nowMs + after)) after += 1000
  return after
}

describe('after failures', () => {
  it.each([
    ['quota', 1, 12 * hourMs],
    ['licence', 1, hourMs],
    ['bad_request', 2, 0],
    ['bad_request', 3, hourMs],
    ['form', 3, hourMs],
    ['busy', 2, 0],
    ['busy', 3, 10_000],
    ['timeout', 3, 10_000],
    ['fault', 3, 10_000],
  ] as const)('of the kind %s, %i times, nobody is asked for %i ms', (kind, times, pauseMs) => {
    const breaker = createBreaker()
    for (let i = 0; i < times; i++) breaker.fail(kind, noon)
    expect(pauseOf(breaker, noon)).toBe(pauseMs)
  })

  it('the pause doubles up to five minutes with each try that fails', () => {
    const breaker = createBreaker()
    const pauses: number[] = []
    let nowMs = noon
    for (let i = 0; i < 10; i++) breaker.fail('busy', nowMs)
    breaker.succeed()
    for (let i = 0; i < 2; i++) breaker.fail('busy', nowMs)
    for (let i = 0; i < 8; i++) {
      breaker.fail('busy', nowMs)
      const pauseMs = pauseOf(breaker, nowMs)
      pauses.push(pauseMs / 1000)
      nowMs += pauseMs
    }
    expect(pauses).toEqual([10, 20, 40, 80, 160, 300, 300, 300])
  })

  it('one caller tries, and if nothing becomes of it another one does after a while', () => {
    const breaker = createBreaker()
    for (let i = 0; i < 3; i++) breaker.fail('timeout', noon)
    expect([breaker.admit(noon + 10_000), breaker.admit(noon + 10_001)]).toEqual([true, false])
    expect(breaker.admit(noon + 25_000)).toBe(true)
    breaker.succeed()
    expect([breaker.admit(noon + 25_001), breaker.admit(noon + 25_001)]).toEqual([true, true])
  })

  it('that lie between successes nothing stops', () => {
    const breaker = createBreaker()
    for (let i = 0; i < 10; i++) {
      breaker.fail('busy', noon)
      breaker.fail('busy', noon)
      breaker.succeed()
    }
    expect(breaker.admit(noon)).toBe(true)
  })
})
