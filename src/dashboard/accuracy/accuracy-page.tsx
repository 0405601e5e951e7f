import { rankedNames } from '../../correction/rules/allowed-values.ts'
import { sumStood, type ReviewedWeek } from '../../review/list-review-counts.ts'
import { Columns } from '../parts/list.tsx'
import { Empty, Heading } from '../parts/text.tsx'
import { accuracyPath } from '../paths.ts'
import { AccuracyPlot } from './accuracy-plot.tsx'
import { confidences } from '../../vision/rank.ts'
import { shareText } from './share-text.ts'

interface AccuracyPageProps {
  /** Oldest first. */
  readonly weeks: readonly ReviewedWeek[]
  /** The attribute that is plotted over time; undefined for all of them together. */
  readonly attribute: string | undefined
}

export const AccuracyPage = ({ weeks, attribute }: AccuracyPageProps) => {
  const isEmpty = weeks.every(({ counts }) => Object.values(counts).every((number) => number === 0))
  return (
    <>
      <Heading
        title="Accuracy"
        lead={`The share of correct tags for your garments, among the values that people confirmed or corrected in the last ${weeks.length} weeks. Values that nobody reviewed do not count.`}
      >
        <a class="button plain" href="/dashboard/review">
          Review
        </a>
      </Heading>
      {isEmpty ? (
        <Empty title="Nothing was reviewed yet">
          <p>Confirm or correct values on the review page, and their share appears here.</p>
        </Empty>
      ) : (
        <>
          <ByAttribute weeks={weeks} />
          <OverTime weeks={weeks} attribute={attribute} />
        </>
      )}
    </>
  )
}

/** The share of predictions that were confirmed, by attribute and confidence, over all weeks. */
const ByAttribute = ({ weeks }: { weeks: readonly ReviewedWeek[] }) => (
  <section class="card" aria-labelledby="by-attribute">
    <h2 id="by-attribute">By attribute</h2>
    <p class="hint">The share that was right, with its interval of 95 %, of the values reviewed.</p>
    <table class="stack">
      <Columns names={['Attribute', ...confidences]} />
      <tbody>
        {rankedNames().map((name) => (
          <tr>
            <th scope="row">{name}</th>
            {confidences.map((confidence) => (
              <td data-label={confidence}>{shareText(sumStood(weeks, [name], confidence))}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </section>
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
    <section class="card" aria-labelledby="over-time">
      <h2 id="over-time">By week: {attribute ?? 'all attributes'}</h2>
      <nav class="filter" aria-label="Attribute">
        {[undefined, ...rankedNames()].map((name) => (
          <a
            href={name === undefined ? accuracyPath : `${accuracyPath}?attribute=${encodeURIComponent(name)}`}
            aria-current={name === attribute ? 'page' : undefined}
          >
            {name ?? 'All'}
          </a>
        ))}
      </nav>
      <AccuracyPlot weeks={plotted} />
      <table class="stack">
        <caption class="visually-hidden">The share that was right, by week</caption>
        <Columns names={['Week of', ...confidences]} />
        <tbody>
          {reviewed.toReversed().map(({ week, stood }) => (
            <tr>
              <th scope="row">{week}</th>
              {confidences.map((confidence) => (
                <td data-label={confidence}>{shareText(stood[confidence])}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
