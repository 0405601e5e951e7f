import { expect, it } from 'vitest'
import { createClock } from '../../../src/dashboard/clock.ts'
import { readFilter } from '../../../src/dashboard/garments/garment-filter.tsx'

it("the days of a list's filter begin in the tenant's time zone, also where the clocks change", () => {
  const berlin = createClock('Europe/Berlin')
  expect(readFilter({ from: '2026-10-24', to: '2026-10-25' }, berlin)).toMatchObject({
    fromMs: Date.UTC(2026, 9, 23, 22),
    // This day has 25 hours.
    untilMs: Date.UTC(2026, 9, 25, 23),
  })
  expect(readFilter({ to: '2026-11-21' }, createClock('UTC')).untilMs).toBe(Date.UTC(2026, 10, 22))
  for (const text of ['2026-13-01', 'yesterday', '9999-12-31'])
    expect(readFilter({ to: text }, berlin).untilMs).toBe(undefined)
})
