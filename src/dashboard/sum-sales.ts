import { dayMs, dayOf } from '../time.ts'

export interface Sale {
  readonly at: number
  readonly price: number | null
  /** Null for the shop's currency. */
  readonly currency: string | null
}

export const salePeriods = ['week', 'month'] as const

export type SalePeriod = (typeof salePeriods)[number]

export interface PeriodSales {
  readonly start: string
  readonly revenue: number
  /** Garments sold, in any currency. */
  readonly count: number
}

/** Returns the Monday of a day's week, or the first day of its month. */
function startOf(day: string, period: SalePeriod): string {
  if (period === 'month') return `${day.slice(0, 7)}-01`
  const ms = Date.parse(day)
  return dayOf(ms - ((new Date(ms).getUTCDay() + 6) % 7) * dayMs)
}

/** Returns the first days of the latest periods, oldest first. The last one contains `today`. */
export function startsOf(today: string, period: SalePeriod, count: number): string[] {
  const starts = [startOf(today, period)]
  while (starts.length < count) starts.unshift(startOf(dayOf(Date.parse(starts[0] ?? today) - dayMs), period))
  return starts
}

interface SumOptions {
  /** First days of the periods, from `startsOf`. */
  readonly starts: readonly string[]
  readonly period: SalePeriod
  readonly currency: string
  readonly dayAt: (ms: number) => string
}

/** Sums sales by period. Sales outside of all periods are ignored. */
export function sumSales(
  sales: readonly Sale[],
  { starts, period, currency, dayAt }: SumOptions,
): readonly PeriodSales[] {
  const sums = new Map(starts.map((start) => [start, { start, revenue: 0, count: 0 }]))
  for (const sale of sales) {
    const sum = sums.get(startOf(dayAt(sale.at), period))
    if (sum === undefined) continue
    sum.count++
    if ((sale.currency ?? currency) === currency) sum.revenue += sale.price ?? 0
  }
  return [...sums.values()]
}

/** Returns the median of the days from upload to sale, or null if nothing was sold. */
export function medianDays(
  sold: readonly { readonly soldAt: number | null; readonly createdAt: number }[],
): number | null {
  const days = sold
    .map(({ soldAt, createdAt }) => Math.max(0, Math.round(((soldAt ?? createdAt) - createdAt) / dayMs)))
    .sort((a, b) => a - b)
  return days[Math.floor(days.length / 2)] ?? null
}
