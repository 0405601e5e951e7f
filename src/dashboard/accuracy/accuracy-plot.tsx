import { shareStood, type Stood } from '../../review/wilson.ts'
import { confidences } from '../../vision/rank.ts'

interface PlottedWeek {
  readonly week: string
  readonly stood: Readonly<Record<(typeof confidences)[number], Stood>>
}

/** In SVG units. CSS scales the drawing to the available width. */
const [width, height, left, gap] = [640, 200, 40, 4]

const yOf = (share: number) => 10 + (1 - share) * (height - 30)

/** Each confidence has its own marker, so that they differ by more than colour. */
const marks = {
  High: (x: number, y: number) => `M${x - 4} ${y}a4 4 0 1 0 8 0a4 4 0 1 0-8 0`,
  Medium: (x: number, y: number) => `M${x - 3.5} ${y - 3.5}h7v7h-7z`,
  Low: (x: number, y: number) => `M${x} ${y - 4.5}l4.5 8h-9z`,
} as const

/**
 * The weekly share of confirmed predictions, with its interval as a vertical line. The table beside it has the same
 * numbers.
 */
export const AccuracyPlot = ({ weeks }: { weeks: readonly PlottedWeek[] }) => {
  const step = (width - left) / weeks.length
  return (
    <figure class="accuracy">
      <svg viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
        {[0, 0.5, 1].map((share) => (
          <>
            <path class="grid" d={`M${left} ${yOf(share)}H${width}`} />
            <text x={left - 6} y={yOf(share) + 4} text-anchor="end">
              {share * 100} %
            </text>
          </>
        ))}
        <text x={left} y={height - 2}>
          {weeks[0]?.week}
        </text>
        <text x={width} y={height - 2} text-anchor="end">
          {weeks.at(-1)?.week}
        </text>
        {confidences.map((confidence, series) =>
          weeks.map(({ week, stood }, i) => {
            const share = shareStood(stood[confidence])
            if (share === null) return null
            const x = left + (i + 0.5) * step + (series - 1) * gap
            return (
              <g class={confidence.toLowerCase()}>
                <path class="interval" d={`M${x} ${yOf(share.low)}V${yOf(share.high)}`} />
                <path class="mark" d={marks[confidence](x, yOf(share.share))}>
                  <title>{`${week}: ${stood[confidence].stood} of ${stood[confidence].count} ${confidence}`}</title>
                </path>
              </g>
            )
          }),
        )}
      </svg>
      <figcaption>
        {confidences.map((confidence) => (
          <span class={`key ${confidence.toLowerCase()}`}>
            <svg viewBox="-6 -6 12 12" width="12" height="12" aria-hidden="true">
              <path class="mark" d={marks[confidence](0, 0)} />
            </svg>
            {confidence}
          </span>
        ))}
        <span class="hint">Lines are intervals of 95 %.</span>
      </figcaption>
    </figure>
  )
}
