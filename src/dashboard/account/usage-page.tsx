import { Hono } from 'hono'
import { runBatch } from '../../platform/db/database.ts'
import { formatCount } from '../../platform/format-count.ts'
import { dailyCountsQuery, type DayCounts, fillDays } from '../../platform/db/daily-counts.ts'
import { Table } from '../parts/list-parts.tsx'
import { type QuotaName } from '../../platform/db/count-rows.ts'
import {
  limitsQuery,
  quotasOf,
  type Stored as StoredAmounts,
  storedQuery,
  toLimits,
  toStored,
} from '../../accounts/quotas.ts'
import { minuteMs } from '../../time.ts'
import { Card, Empty, Heading, PlainLink } from '../parts/elements.tsx'
import { importsPath } from '../paths.ts'
import { settingsOf } from '../../settings.ts'
import { openGate } from '../../accounts/tenant.ts'
import { render } from '../parts/layout.tsx'
import { type DashboardEnv, type Tenant, forTenant } from '../viewer.ts'

interface Series<Kind extends string> {
  readonly kind: Kind
  readonly name: string
  readonly tone: 'good' | 'bad'
}

interface PlotProps<Kind extends string> {
  readonly days: readonly ({ readonly day: string } & Readonly<Record<Kind, number>>)[]
  readonly series: readonly Series<Kind>[]
  readonly label: string
  readonly zone?: string
}

/** In SVG units. CSS scales the drawing to the available width. */
const [width, height, gap] = [600, 120, 3]

export function niceCeiling(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1)))
  return [1, 2, 5, 10].map((step) => step * power).find((step) => step >= value) ?? value
}

const shortDay = (day: string | undefined) =>
  day && new Date(day).toLocaleDateString('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'short' })

function Plot<Kind extends string>({ days, series, label, zone }: PlotProps<Kind>) {
  const totals = days.map((day) => series.reduce((sum, { kind }) => sum + day[kind], 0))
  const top = niceCeiling(Math.max(...totals))
  const step = width / days.length
  return (
    <figure class="plot">
      <div class="frame">
        <p class="scale" aria-hidden="true">
          <span>{formatCount(top)}</span>
          <span>0</span>
        </p>
        <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
          <path class="grid" d={`M0 .5H${width}M0 ${height / 2}H${width}M0 ${height - 0.5}H${width}`} />
          {days.map((day, i) => {
            let base = height
            return series.map(({ kind, name, tone }) => {
              const size = (day[kind] / top) * height
              base -= size
              return size === 0 ? null : (
                <rect class={tone} x={i * step + gap / 2} y={base} width={step - gap} height={size}>
                  <title>{`${day.day}: ${day[kind]} ${name.toLowerCase()}`}</title>
                </rect>
              )
            })
          })}
        </svg>
      </div>
      <p class="ends" aria-hidden="true">
        <span>{shortDay(days[0]?.day)}</span>
        <span>{shortDay(days.at(-1)?.day)}</span>
      </p>
      <figcaption>
        {series.map(({ kind, name, tone }) => (
          <span class={`key ${tone}`}>
            {name} <strong>{formatCount(days.reduce((sum, day) => sum + day[kind], 0))}</strong>
          </span>
        ))}
        {zone !== undefined && <span class="hint">Days are in {zone}.</span>}
      </figcaption>
      <div class="visually-hidden">
        <Table names={['Day', ...series.map(({ name }) => name)]} caption={label}>
          {days.map((day, i) =>
            totals[i] === 0 ? null : (
              <tr>
                <th scope="row">{day.day}</th>
                {series.map(({ kind }) => (
                  <td>{day[kind]}</td>
                ))}
              </tr>
            ),
          )}
        </Table>
      </div>
    </figure>
  )
}

const names: readonly (readonly [QuotaName, string])[] = [
  ['garments', 'Garments'],
  ['import_lines', 'Lines of imports'],
  ['row_bytes', 'Data about them'],
  ['files', 'Uploaded files'],
  ['file_bytes', 'Their size'],
]

const amount = (name: QuotaName, value: number) =>
  name.endsWith('_bytes')
    ? `${(value / 1_000_000).toLocaleString('en-US', { maximumFractionDigits: 1 })} MB`
    : formatCount(value)

const Stored = ({ used, limits }: { used: StoredAmounts; limits: StoredAmounts }) => (
  <Card id="stored" title="Stored" kind="flush">
    <table>
      <thead>
        <tr>
          <th scope="col">What</th>
          <th scope="col">Stored</th>
          <th scope="col">At most</th>
        </tr>
      </thead>
      <tbody>
        {names.map(([name, label]) => (
          <tr>
            <th scope="row">{label}</th>
            <td>{amount(name, used[name])}</td>
            <td>{amount(name, limits[name])}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </Card>
)

/** `admitted` contains the times of the last minute's requests, oldest first, in ms since the epoch. */
interface RequestUsage {
  readonly admitted: readonly number[]
  readonly limit: number
}

/** Reads the requests that the tenant's gate has admitted. A tenant without a gate has none. */
export const findUsage = async (env: Env, { domain, hasGate }: Tenant): Promise<RequestUsage> =>
  hasGate ? await openGate(env, domain).usage() : { admitted: [], limit: settingsOf(env).RATE_LIMIT_PER_MINUTE }

const cellsShown = 60

export const RequestMeter = ({ usage: { admitted, limit }, now }: { usage: RequestUsage; now: number }) => {
  const used = admitted.length
  const oldest = admitted[0]
  const isFull = used >= limit
  const freeIn = oldest === undefined ? 0 : Math.ceil((oldest + minuteMs - now) / 1000)
  const cells = Math.min(limit, cellsShown)
  const filled = Math.round((Math.min(used, limit) / limit) * cells)
  return (
    <div class={isFull ? 'meter full' : 'meter'}>
      <p>
        <strong>{used}</strong> of {limit} requests{' '}
        <span class="hint">
          {isFull
            ? `Further requests are rejected. The next one is allowed in ${freeIn} s.`
            : 'to the API for this domain. The dashboard does not count.'}
        </span>
      </p>
      <svg viewBox={`0 0 ${cells * 10 - 1} 8`} preserveAspectRatio="none" aria-hidden="true">
        {Array.from({ length: cells }, (_, i) => (
          <rect class={i < filled ? 'on' : 'off'} x={i * 10} width="9" height="8" />
        ))}
      </svg>
    </div>
  )
}

type EndedKind = Exclude<keyof DayCounts, 'day'>

const garmentSeries: readonly Series<EndedKind>[] = [
  { kind: 'complete', name: 'Complete', tone: 'good' },
  { kind: 'failed', name: 'Failed', tone: 'bad' },
]

const deliverySeries: readonly Series<EndedKind>[] = [
  { kind: 'delivered', name: 'Delivered', tone: 'good' },
  { kind: 'permanently_failed', name: 'Permanently failed', tone: 'bad' },
]

interface DailyCountsProps {
  readonly id: string
  readonly title: string
  readonly days: readonly DayCounts[]
  readonly series: readonly Series<EndedKind>[]
}

const DailyCounts = ({ id, title, days, series }: DailyCountsProps) => (
  <Card id={id} title={`${title} by day`}>
    {days.some((day) => series.some(({ kind }) => day[kind] > 0)) ? (
      <Plot days={days} series={series} label={`Finished ${title.toLowerCase()} by day`} zone="UTC" />
    ) : (
      <Empty title={`No ${title.toLowerCase()} in the last ${days.length} days`}>
        <p>Each day appears here as a bar.</p>
        <PlainLink to={importsPath}>Add garments</PlainLink>
      </Empty>
    )}
  </Card>
)

const section = '/dashboard/usage'
const days = 30

export const usagePage = new Hono<DashboardEnv>()

usagePage.get(section, forTenant, async (c) => {
  const tenant = c.get('tenant')
  const { id } = tenant
  const now = Date.now()
  const db = c.get('db')
  const quotas = quotasOf(settingsOf(c.env), now)
  const [{ counts, stored, limits }, usage] = await Promise.all([
    runBatch(db, {
      counts: dailyCountsQuery(db, id, days, now),
      stored: storedQuery(db, id),
      limits: limitsQuery(id, quotas),
    }),
    findUsage(c.env, tenant),
  ])
  const used = toStored(stored)
  const filled = fillDays(counts, days, now)
  return await render(
    c,
    { title: 'Usage', section },
    <>
      <Heading title="Usage" />
      <Card id="requests" title="Requests in the last minute">
        <RequestMeter usage={usage} now={now} />
      </Card>
      <Stored used={used} limits={toLimits(limits)} />
      <DailyCounts id="garments" title="Garments" days={filled} series={garmentSeries} />
      <DailyCounts id="deliveries" title="Deliveries" days={filled} series={deliverySeries} />
    </>,
  )
})
