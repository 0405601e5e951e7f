import { formatCount } from '../../count.ts'
import type { DayCounts } from '../../usage/list-daily-counts.ts'
import { Columns } from '../parts/list.tsx'

export interface Series {
  readonly kind: Exclude<keyof DayCounts, 'day'>
  readonly name: string
  readonly tone: 'good' | 'bad'
}

interface PlotProps {
  readonly days: readonly DayCounts[]
  readonly series: readonly Series[]
  readonly label: string
}

/** In SVG units. CSS scales the drawing to the available width. */
const [width, height, gap] = [600, 120, 3]

/** The smallest of 1, 2, 5, 10, 20, 50 ... that is at least `value`. */
export function niceCeiling(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1)))
  return [1, 2, 5, 10].map((step) => step * power).find((step) => step >= value) ?? value
}

/** One stacked bar per day, and the same numbers in a table for screen readers. */
export const Plot = ({ days, series, label }: PlotProps) => {
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
        <span>{days[0]?.day}</span>
        <span>{days.at(-1)?.day}</span>
      </p>
      <figcaption>
        {series.map(({ kind, name, tone }) => (
          <span class={`key ${tone}`}>
            {name} <strong>{formatCount(days.reduce((sum, day) => sum + day[kind], 0))}</strong>
          </span>
        ))}
        <span class="hint">Days are in UTC.</span>
      </figcaption>
      <div class="visually-hidden">
        <table>
          <caption>{label}</caption>
          <Columns names={['Day', ...series.map(({ name }) => name)]} />
          <tbody>
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
          </tbody>
        </table>
      </div>
    </figure>
  )
}
