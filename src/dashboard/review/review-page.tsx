import { catalogue } from '../../vision/attributes/catalogue.ts'
import type { Catalogue } from '../../vision/attributes/catalogue-entry.ts'
import { rankedNames } from '../../correction/rules/allowed-values.ts'
import type { GarmentResult } from '../../garment/fields.ts'
import type { GarmentRow } from '../../garment/to-garment-response.ts'
import { LinePicture } from '../lines/line-picture.tsx'
import { correctionPath, nextReviewPath, reviewCountPath, reviewPath, reviewSection } from '../paths.ts'
import { maxCounted } from '../../review/count-doubtful.ts'
import { Count, countText } from '../parts/count.tsx'
import { withQuery } from '../parts/list.tsx'
import { Summary, type FormState } from '../parts/fields.tsx'
import { Shortcuts } from '../parts/shortcuts.tsx'
import { Breadcrumb } from '../parts/text.tsx'
import type { ReviewFilterValues } from './filter-values.ts'
import { OtherChanges } from './other-changes.tsx'
import { isDoubtful, shownValues } from './read-review.ts'
import { ReviewedValue } from './reviewed-value.tsx'
import { formatBase, type OtherChange } from './stale-form.ts'

interface RemainingProps {
  readonly filter: ReviewFilterValues
  /** Null unless requested. */
  readonly count: number | null
}

/** The number of doubtful garments left. */
export const Remaining = ({ filter, count }: RemainingProps) =>
  count === null ? (
    <Count
      label="How many are left?"
      page={withQuery(reviewSection, { ...filter, count: 'yes' })}
      source={withQuery(reviewCountPath, filter)}
    />
  ) : (
    <>{countText(count, maxCounted)} in doubt</>
  )

export const Keys = () => (
  <p class="hint keys">
    <kbd>1</kbd> to <kbd>4</kbd> choose a value, <kbd>↑</kbd> and <kbd>↓</kbd> move between attributes, <kbd>Enter</kbd>{' '}
    confirms, <kbd>→</kbd> goes to the next garment, <kbd>←</kbd> back.
  </p>
)

interface ReviewPageProps {
  readonly garment: GarmentRow
  readonly result: GarmentResult
  readonly form: FormState
  /** The attributes that the tenant has reviewed. */
  readonly reviewed: readonly string[]
  readonly filter: ReviewFilterValues
  /** What others have changed since the form was opened. */
  readonly changes?: readonly OtherChange[]
  readonly entries?: Catalogue
}

/** One garment: its picture beside the values, those in doubt first, then the others that are reviewed. */
export const ReviewPage = ({ entries = catalogue, ...props }: ReviewPageProps) => {
  const { garment, result, form, reviewed, filter, changes = [] } = props
  const tag = result.tag ?? {}
  const given = rankedNames(entries).filter((name) => typeof tag[name] === 'string')
  const inDoubt = (name: string) => isDoubtful(tag, name, reviewed)
  const rankOf = (name: string) => (inDoubt(name) ? 0 : reviewed.includes(name) ? 1 : 2)
  const names = given.toSorted((a, b) => rankOf(a) - rankOf(b))
  const next = withQuery(nextReviewPath, filter)
  return (
    <>
      <div id="review" data-uuid={garment.uuid} data-next={next}>
        <Breadcrumb name="Review" path={withQuery(reviewSection, filter)} uuid={garment.uuid}>
          {' · '}
          <Remaining filter={filter} count={null} />
        </Breadcrumb>
        <h1 class="visually-hidden">Review {garment.uuid}</h1>
        <div class="result review">
          <LinePicture garment={garment} result={result} />
          <form class="card" method="post" action={reviewPath(garment.uuid, filter)} novalidate>
            {changes.length > 0 && <OtherChanges changes={changes} />}
            <Summary form={form} />
            <input type="hidden" name="base" value={formatBase(shownValues(tag, entries))} />
            {names.map((name, i) => (
              <ReviewedValue
                name={name}
                tag={tag}
                form={form}
                isFirst={i === 0}
                isInDoubt={inDoubt(name)}
                entries={entries}
              />
            ))}
            <div class="actions">
              <button>Confirm</button>
              <button class="plain" name="confirm" value="all">
                Confirm all values
              </button>
              <button class="plain" formaction={next} data-skip="">
                Skip
              </button>
            </div>
            <p class="hint">
              “Confirm” is about {reviewed.join(', ')} and what you change.{' '}
              <a href={correctionPath(garment.uuid)}>Correct measurements and others</a>
            </p>
            <Keys />
          </form>
        </div>
        <script src="/assets/scripts/review.js" type="module"></script>
        <script src="/assets/scripts/lines.js" type="module"></script>
      </div>
      <Shortcuts of={['review', 'lines']} />
    </>
  )
}
