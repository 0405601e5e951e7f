import { Hono } from 'hono'
import {
  listReviewCounts,
  type ReviewedWeek,
  shareStood,
  type Stood,
  sumStood,
} from '../../garments/review/review-outcomes.ts'
import { confidences } from '../../vision/rank.ts'
import { formatCount } from '../../platform/format-count.ts'
import { rankedNames } from '../../garments/corrections/allowed-values.ts'
import { Filter, Table, oneOf, withQuery } from '../parts/list-parts.tsx'
import { ButtonLink, PlainLink, Card, Empty, Heading } from '../parts/elements.tsx'
import { accuracyPath, reviewSection } from '../paths.ts'
import { render } from '../parts/layout.tsx'
import { type DashboardEnv, forTenant } from '../viewer.ts'

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
 * Plots the weekly share of confirmed predictions, with intervals as vertical lines. The table below has the same
 * numbers.
 */
const AccuracyPlot = ({ weeks }: { weeks: readonly PlottedWeek[] }) => {
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

const percent = (share: number) => Math.round(share * 100)

function shareText(stood: Stood): string {
  const share = shareStood(stood)
  if (share === null) return '–'
  const interval = `${percent(share.low)} to ${percent(share.high)}`
  return `${percent(share.share)} % (${interval}) of ${formatCount(stood.count)}`
}

interface AccuracyPageProps {
  readonly weeks: readonly ReviewedWeek[]
  /** The plotted attribute. Undefined plots all attributes together. */
  readonly attribute: string | undefined
}

const ByAttribute = ({ weeks }: { weeks: readonly ReviewedWeek[] }) => (
  <Card id="by-attribute" title="By value">
    <p class="hint">The share that was right, with its interval of 95 %, of the values reviewed.</p>
    <Table names={['Attribute', ...confidences]}>
      {rankedNames().map((name) => (
        <tr>
          <th scope="row">{name}</th>
          {confidences.map((confidence) => (
            <td data-label={confidence}>{shareText(sumStood(weeks, [name], confidence))}</td>
          ))}
        </tr>
      ))}
    </Table>
  </Card>
)

const OverTime = ({ weeks, attribute }: AccuracyPageProps) => {
  const names = attribute === undefined ? rankedNames() : [attribute]
  const plotted = weeks.map((week) => ({
    week: week.week,
    stood: {
      High: sumStood([week], names, 'High'),
      Medium: sumStood([week], names, 'Medium'),
      Low: sumStood([week], names, 'Low'),
    },
  }))
  const reviewed = plotted.filter(({ stood }) => confidences.some((confidence) => stood[confidence].count > 0))
  return (
    <Card id="over-time" title={`By week: ${attribute ?? 'all values'}`}>
      <Filter
        label="Attribute"
        options={[undefined, ...rankedNames()].map((name) => [name, name ?? 'All'])}
        current={attribute}
        href={(name) => withQuery(accuracyPath, { attribute: name })}
      />
      <AccuracyPlot weeks={plotted} />
      <Table names={['Week of', ...confidences]} caption="The share that was right, by week">
        {reviewed.toReversed().map(({ week, stood }) => (
          <tr>
            <th scope="row">{week}</th>
            {confidences.map((confidence) => (
              <td data-label={confidence}>{shareText(stood[confidence])}</td>
            ))}
          </tr>
        ))}
      </Table>
    </Card>
  )
}

const shownWeeks = 26

export const accuracyPages = new Hono<DashboardEnv>()

accuracyPages.get(accuracyPath, forTenant, async (c) => {
  const weeks = await listReviewCounts(c.get('db'), c.get('tenant').id, shownWeeks, Date.now())
  const attribute = oneOf(rankedNames(), c.req.query(), 'attribute')
  const isEmpty = weeks.every(({ counts }) => Object.values(counts).every((number) => number === 0))
  return await render(
    c,
    { title: 'Accuracy', section: reviewSection },
    <>
      <Heading
        title="Accuracy"
        lead={`The share of correct tags for your garments, among the values that people confirmed or corrected in the last ${weeks.length} weeks. Values that nobody reviewed do not count.`}
      >
        <PlainLink to="/dashboard/review">Review</PlainLink>
      </Heading>
      {isEmpty ? (
        <Empty title="Nothing was reviewed yet">
          <p>Confirm or correct values on the review page, and their share appears here.</p>
          <ButtonLink to={reviewSection}>Review garments</ButtonLink>
        </Empty>
      ) : (
        <>
          <ByAttribute weeks={weeks} />
          <OverTime weeks={weeks} attribute={attribute} />
        </>
      )}
    </>,
  )
})
