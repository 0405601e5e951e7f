import { formatCount } from '../platform/format-count.ts'
import { Card, Empty, PlainLink } from './parts/elements.tsx'
import { Filter, withQuery } from './parts/list-parts.tsx'
import { garmentsPath } from './paths.ts'
import { type PeriodSales, type SalePeriod, salePeriods } from './sum-sales.ts'

interface Bar {
  readonly label: string
  readonly value: number
  readonly text: string
}

/** Shows one bar per value. The last one is highlighted. On a phone, only the latest six are shown. */
export const Bars = ({ bars, label }: { bars: readonly Bar[]; label: string }) => {
  const top = Math.max(...bars.map(({ value }) => value), 1)
  return (
    <ol class="bars" aria-label={label}>
      {bars.map(({ label: name, value, text }) => (
        <li>
          <span class="value">{text}</span>
          <svg viewBox="0 0 10 100" preserveAspectRatio="none" aria-hidden="true">
            <rect x="0" y={100 - (value / top) * 100} width="10" height={(value / top) * 100} />
          </svg>
          <span class="hint">{name}</span>
        </li>
      ))}
    </ol>
  )
}

const dateFormat = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'short' })
const monthFormat = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', month: 'short' })

const nameOf = (start: string, period: SalePeriod) =>
  (period === 'week' ? dateFormat : monthFormat).format(Date.parse(start))

const money = (amount: number, currency: string) =>
  `${amount.toLocaleString('en-US', { maximumFractionDigits: 2, minimumFractionDigits: amount % 1 === 0 ? 0 : 2 })} ${currency}`

function daysText(days: number): string {
  if (days === 0) return 'less than a day'
  return days === 1 ? 'at most a day' : `${formatCount(days)} days or less`
}

const nothing: PeriodSales = { start: '', revenue: 0, count: 0 }

function comparison(now: number, before: number, period: SalePeriod): string {
  if (before === 0) return now === 0 ? `Nothing was sold last ${period} either.` : `Nothing was sold last ${period}.`
  const change = Math.round((now / before - 1) * 100)
  if (change === 0) return `As much as last ${period}.`
  return `${formatCount(Math.abs(change))} % ${change > 0 ? 'more' : 'less'} than in all of last ${period}.`
}

interface SalesProps {
  readonly sales: readonly PeriodSales[]
  readonly period: SalePeriod
  readonly currency: string
  readonly daysToSell: number | null
  readonly isCut: boolean
}

export const Sales = ({ sales, period, currency, daysToSell, isCut }: SalesProps) => {
  const [before = nothing, now = nothing] = sales.slice(-2)
  if (daysToSell === null)
    return (
      <Card id="sales" title="Sales">
        <Empty title="No sales yet">
          <p>Set a garment's stage to sold, and your revenue appears here by week and month.</p>
          <PlainLink to={withQuery(garmentsPath, { view: 'rows' })}>Open the list</PlainLink>
        </Empty>
      </Card>
    )
  return (
    <Card
      id="sales"
      title={
        <>
          {money(now.revenue, currency)} <span class="hint">this {period}</span>
        </>
      }
    >
      <p>
        {formatCount(now.count)} sold. {comparison(now.revenue, before.revenue, period)}
        <span class="hint"> Half of the latest sales took {daysText(daysToSell)}.</span>
      </p>
      <Bars
        label={`Revenue in ${currency} by ${period}`}
        bars={sales.map(({ start, revenue, count }) => ({
          label: nameOf(start, period),
          value: revenue,
          text: count === 0 ? '–' : formatCount(Math.round(revenue)),
        }))}
      />
      <Filter
        label="Period"
        options={salePeriods.map((each) => [each, each === 'week' ? 'By week' : 'By month'])}
        current={period}
        href={(each) => (each === 'week' ? '/dashboard' : '/dashboard?by=month')}
      />
      {isCut && <p class="hint">The first bars lack sales, because there are too many to add up here.</p>}
    </Card>
  )
}
