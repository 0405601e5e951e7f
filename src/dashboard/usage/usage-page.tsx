import type { Quotas } from '../../quota/quotas.ts'
import type { DayCounts } from '../../usage/list-daily-counts.ts'
import { Empty, Heading } from '../parts/text.tsx'
import { Plot, type Series } from './plot.tsx'
import { Stored } from './stored.tsx'
import { RequestMeter, type RequestUsage } from './request-meter.tsx'

export const garmentSeries: readonly Series[] = [
  { kind: 'complete', name: 'Complete', tone: 'good' },
  { kind: 'failed', name: 'Failed', tone: 'bad' },
]

const deliverySeries: readonly Series[] = [
  { kind: 'delivered', name: 'Delivered', tone: 'good' },
  { kind: 'permanently_failed', name: 'Permanently failed', tone: 'bad' },
]

interface UsagePageProps {
  readonly days: readonly DayCounts[]
  readonly usage: RequestUsage
  readonly used: Quotas
  readonly limits: Quotas
  readonly now: number
}

export const UsagePage = ({ days, usage, used, limits, now }: UsagePageProps) => (
  <>
    <Heading title="Usage" />
    <section class="card" aria-labelledby="requests">
      <h2 id="requests">Requests in the last minute</h2>
      <RequestMeter usage={usage} now={now} />
    </section>
    <Stored used={used} limits={limits} />
    <DailyCounts id="garments" title="Garments" days={days} series={garmentSeries} />
    <DailyCounts id="deliveries" title="Deliveries" days={days} series={deliverySeries} />
  </>
)

interface DailyCountsProps {
  readonly id: string
  readonly title: string
  readonly days: readonly DayCounts[]
  readonly series: readonly Series[]
}

const DailyCounts = ({ id, title, days, series }: DailyCountsProps) => (
  <section class="card" aria-labelledby={id}>
    <h2 id={id}>{title} by day</h2>
    {days.some((day) => series.some(({ kind }) => day[kind] > 0)) ? (
      <Plot days={days} series={series} label={`Finished ${title.toLowerCase()} by day`} />
    ) : (
      <Empty title={`No ${title.toLowerCase()} in the last ${days.length} days`}>
        <p>Each day appears here as a bar.</p>
      </Empty>
    )}
  </section>
)
