import { expect, it } from 'vitest'
import { createClock } from '../../src/dashboard/clock.ts'
import { medianDays, startsOf, sumSales } from '../../src/dashboard/sum-sales.ts'

const dayAt = createClock('Europe/Berlin').day

it('weeks begin on Monday and months on their first day, across the turn of the year', () => {
  expect(startsOf('2027-01-01', 'week', 3)).toEqual(['2026-12-14', '2026-12-21', '2026-12-28'])
  expect(startsOf('2027-01-31', 'month', 3)).toEqual(['2026-11-01', '2026-12-01', '2027-01-01'])
})

it('sums revenue and garments by period in the time zone of the shop, apart from other currencies', () => {
  const starts = startsOf('2026-11-29', 'week', 2)
  const sales = [
    // Monday in Berlin, still Sunday in UTC.
    { at: Date.parse('2026-11-22T23:30:00Z'), price: 10, currency: null },
    { at: Date.parse('2026-11-25T12:00:00Z'), price: 5.5, currency: 'EUR' },
    { at: Date.parse('2026-11-25T12:00:00Z'), price: 100, currency: 'USD' },
    { at: Date.parse('2026-11-16T00:00:00Z'), price: null, currency: 'EUR' },
    { at: Date.parse('2026-10-16T00:00:00Z'), price: 7, currency: 'EUR' },
  ]
  expect(sumSales(sales, { starts, period: 'week', currency: 'EUR', dayAt })).toEqual([
    { start: '2026-11-16', revenue: 0, count: 1 },
    { start: '2026-11-23', revenue: 15.5, count: 3 },
  ])
})

it('the median of the days in stock ignores sales that are older than their upload', () => {
  const day = 86_400_000
  expect(medianDays([])).toBe(null)
  expect(medianDays([{ soldAt: 3 * day, createdAt: 0 }])).toBe(3)
  const sold = [9, 1, 30].map((days) => ({ soldAt: (100 + days) * day, createdAt: 100 * day }))
  expect(medianDays([...sold, { soldAt: 0, createdAt: day }, { soldAt: 0, createdAt: day }])).toBe(1)
})
