import { describe, expect, it } from 'vitest'
import { admit } from '../../../src/platform/limits/throttle-object.ts'

const minute = 60_000

describe('the sliding window', () => {
  it('never admits more than the limit in any window, whenever the requests come', () => {
    let admitted: readonly number[] = []
    const all: number[] = []
    for (let now = 0; now < 10 * minute; now += 1 + ((now * 7919) % 4001)) {
      const decision = admit(admitted, now, 6, minute)
      admitted = decision.admitted
      if (decision.ok) all.push(now)
    }
    for (const start of all)
      expect(all.filter((at) => at >= start && at < start + minute).length).toBeLessThanOrEqual(6)
    expect(all.length).toBeGreaterThan(50)
  })

  it('admits a request at the very moment that retryAfterMs names, and not a millisecond before', () => {
    const full = [0, 10, 20, 30, 40, 50]
    const refused = admit(full, 1000, 6, minute)
    if (refused.ok) throw new Error('admitted')
    expect(admit(full, 1000 + refused.retryAfterMs - 1, 6, minute).ok).toBe(false)
    expect(admit(full, 1000 + refused.retryAfterMs, 6, minute).ok).toBe(true)
  })

  it('does not count what it refused', () => {
    expect(admit([0, 1, 2, 3, 4, 5], 100, 6, minute).admitted).toEqual([0, 1, 2, 3, 4, 5])
  })

  it('waits for enough requests to leave when the limit was lowered', () => {
    expect(admit([0, 10, 20, 30], 100, 2, minute)).toMatchObject({ ok: false, retryAfterMs: minute + 20 - 100 })
  })

  it('reports what remains and when the oldest request leaves', () => {
    expect(admit([1000], 2000, 6, minute)).toMatchObject({ ok: true, remaining: 4, resetMs: minute - 1000 })
  })
})
