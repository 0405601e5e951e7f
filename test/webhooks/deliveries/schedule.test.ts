import { describe, expect, it } from 'vitest'
import { maxAttempts, nextState, retryDelayMs } from '../../../src/webhooks/deliveries/next-state.ts'
import { settings, startMs as now } from '../webhook-scene.ts'

const delays = settings.WEBHOOK_RETRY_DELAYS
const dayMs = 86_400_000

describe('the retry schedule', () => {
  it('is nine attempts: at once, then after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h and 20 h', () => {
    expect(maxAttempts(delays)).toBe(9)
    const pauses = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((attempt) => retryDelayMs(attempt, delays, null, 0))
    const hours = [2, 5, 10, 14, 20].map((n) => n * 3_600_000)
    expect(pauses).toEqual([5_000, 300_000, 1_800_000, ...hours, null])
  })

  it('adds at most a tenth of jitter', () => {
    expect(retryDelayMs(2, delays, null, 0.5)).toBe(315_000)
    expect(retryDelayMs(2, delays, null, 1)).toBe(330_000)
  })

  it('never pauses for more than a day', () => {
    expect(retryDelayMs(1, [86_400], null, 1)).toBe(dayMs)
    expect(retryDelayMs(1, [5], 2 * dayMs, 1)).toBe(dayMs)
  })

  it('waits longer if the receiver asks for it, and never shorter', () => {
    expect(retryDelayMs(1, delays, 60_000, 0)).toBe(60_000)
    expect(retryDelayMs(2, delays, 60_000, 0)).toBe(300_000)
  })
})

describe('the next state of a delivery', () => {
  const after = (
    status: number,
    more: { attempt?: number; retryAfter?: string; from?: 'pending' | 'delivered' | 'permanently_failed' } = {},
  ) =>
    nextState(
      {
        attempt: more.attempt ?? 1,
        redeliveredFrom: more.from ?? null,
        answer: { ok: status >= 200 && status < 300, status, retryAfter: more.retryAfter ?? null },
      },
      delays,
      now,
      0,
    )
  const ended = (status: string) => ({ status, nextAttemptAt: null })
  const retried = (ms: number) => ({ status: 'pending', nextAttemptAt: now + ms })

  it.each([200, 201, 202, 204, 299])('is delivered after %d', (status) =>
    expect(after(status)).toEqual(ended('delivered')),
  )
  it.each([0, 301, 302, 303, 304, 307, 308, 400, 401, 404, 429, 500, 502, 503])('is retried after %d', (status) =>
    expect(after(status)).toEqual(retried(5_000)),
  )
  it('ends at once after 410', () => expect(after(410)).toEqual(ended('permanently_failed')))
  it('ends after the ninth attempt', () => {
    expect(after(500, { attempt: 8 }).status).toBe('pending')
    expect(after(500, { attempt: 9 })).toEqual(ended('permanently_failed'))
  })
  it.each([429, 503])('waits as long as Retry-After of a %d asks', (status) =>
    expect(after(status, { retryAfter: '3600' })).toEqual(retried(3_600_000)),
  )
  it.each([500, 301])('ignores Retry-After of a %d', (status) =>
    expect(after(status, { retryAfter: '3600' })).toEqual(retried(5_000)),
  )
  it('returns to its former status when a manual redelivery fails', () => {
    expect(after(500, { attempt: 2, from: 'delivered' })).toEqual(ended('delivered'))
    expect(after(500, { attempt: 3, from: 'permanently_failed' })).toEqual(ended('permanently_failed'))
    expect(after(200, { attempt: 10, from: 'permanently_failed' })).toEqual(ended('delivered'))
  })
  it('continues its schedule when a redelivery that replaced a retry fails', () =>
    expect(after(500, { attempt: 3, from: 'pending' })).toEqual(retried(1_800_000)))
})
