import { describe, expect, it } from 'vitest'
import { createClock, duration, fromNow } from '../../src/dashboard/clock.ts'

describe('dashboard times', () => {
  it("are formatted in the tenant's time zone, including summer time", () => {
    const clock = createClock('Europe/Berlin')
    expect(clock.text(Date.UTC(2026, 0, 31, 23, 30, 5))).toBe('1 Feb 2026, 00:30:05')
    expect(clock.text(Date.UTC(2026, 6, 1, 12))).toBe('1 Jul 2026, 14:00:00')
  })

  it.each([
    [0, '0 ms'],
    [999, '999 ms'],
    [1000, '1 s'],
    [1500, '1.5 s'],
    [15_000, '15 s'],
    [59_999, '59 s'],
    [300_000, '5 min'],
    [7_200_000, '2 h'],
    [90_000_000, '1 d'],
  ])('format a duration of %i ms as %s', (ms, text) => {
    expect(duration(ms)).toBe(text)
  })

  it('are formatted relative to now', () => {
    expect([fromNow(5_300_000, 5_000_000), fromNow(5_000_000, 5_300_000), fromNow(500, 0)]).toEqual([
      'in 5 min',
      '5 min ago',
      'now',
    ])
  })
})

it.each([
  ['Europe/Berlin', '2026-07-01', '2026-06-30T22:00:00.000Z'],
  ['America/New_York', '2026-12-01', '2026-12-01T05:00:00.000Z'],
  // The clocks change on this day.
  ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00.000Z'],
  ['Europe/Berlin', '2026-10-25', '2026-10-24T22:00:00.000Z'],
])('a day in %s begins at midnight there: %s', (zone, day, start) => {
  const clock = createClock(zone)
  expect(new Date(clock.startOf(day)).toISOString()).toBe(start)
  expect([clock.day(clock.startOf(day)), clock.day(clock.startOf(day) - 1) < day]).toEqual([day, true])
})
