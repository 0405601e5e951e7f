import { catalogue } from '../../vision/attributes/catalogue.ts'
import type { Catalogue } from '../../vision/attributes/catalogue-entry.ts'
import { rankedNames } from '../../correction/rules/allowed-values.ts'
import type { GarmentResult } from '../../garment/fields.ts'
import type { GarmentRow } from '../../garment/to-garment-response.ts'
import { LinePicture } from '../lines/line-picture.tsx'
import { correctionPath, garmentPath, nextReviewPath, reviewPath } from '../paths.ts'
import { Summary, type FormState } from '../parts/fields.tsx'
import { Empty, Heading } from '../parts/text.tsx'
import { isDoubtful } from './read-review.ts'
import { ReviewedValue } from './reviewed-value.tsx'

const Keys = () => (
  <p class="hint keys">
    <kbd>1</kbd> to <kbd>4</kbd> choose a value, <kbd>↑</kbd> and <kbd>↓</kbd> move between attributes, <kbd>Enter</kbd>{' '}
    confirms, <kbd>→</kbd> goes to the next garment, <kbd>←</kbd> back.
  </p>
)

/** Claims the next garment. Reading a page claims nothing. */
const Next = ({ name }: { name: string }) => (
  <form method="post" action={nextReviewPath}>
    <button>{name}</button>
  </form>
)

interface ReviewStartProps {
  readonly hasDoubtful: boolean
  /** The uuid that was asked for, where this session has not claimed that garment or its lease has ended. */
  readonly uuid: string | undefined
}

export const ReviewStart = ({ hasDoubtful, uuid }: ReviewStartProps) => (
  <div id="review">
    <Heading
      title="Review"
      lead="Garments with a value of medium or low confidence, the most doubtful first. Confirmed and corrected values have the confidence High from then on."
    >
      <a class="button plain" href="/dashboard/accuracy">
        How right the tags are
      </a>
    </Heading>
    {uuid !== undefined && (
      <div class="notice calm" role="status">
        <p class="title">This garment is not reserved for you any more.</p>
        <p>
          A garment is reserved for one session for ten minutes. <a href={garmentPath(uuid)}>Open {uuid}</a>
        </p>
      </div>
    )}
    {hasDoubtful ? (
      <section class="card" aria-label="Start">
        <Keys />
        <Next name="Start reviewing" />
      </section>
    ) : (
      <Empty title="Nothing to review">
        <p>No garment has a value in doubt that nobody has looked at.</p>
      </Empty>
    )}
  </div>
)

interface ReviewPageProps {
  readonly garment: GarmentRow
  readonly result: GarmentResult
  readonly form: FormState
  readonly entries?: Catalogue
}

/** One garment: its picture beside the values, those in doubt first. */
export const ReviewPage = ({ garment, result, form, entries = catalogue }: ReviewPageProps) => {
  const tag = result.tag ?? {}
  const given = rankedNames(entries).filter((name) => typeof tag[name] === 'string')
  const inDoubt = (name: string) => isDoubtful(tag, name, entries)
  const names = [...given.filter(inDoubt), ...given.filter((name) => !inDoubt(name))]
  return (
    <div id="review" data-uuid={garment.uuid}>
      <p class="crumb">
        <a href="/dashboard/review">Review</a> / <a href={garmentPath(garment.uuid)}>{garment.uuid}</a>
      </p>
      <h1 class="visually-hidden">Review {garment.uuid}</h1>
      <div class="result review">
        <LinePicture
          garment={garment}
          result={result}
          alt={`Picture with the garment's outline: ${result.description}`}
        />
        <form class="card" method="post" action={reviewPath(garment.uuid)} novalidate>
          <Summary form={form} />
          {names.map((name, i) => (
            <ReviewedValue name={name} tag={tag} form={form} isFirst={i === 0} entries={entries} />
          ))}
          <div class="actions">
            <button>Confirm</button>
            <button class="plain" name="confirm" value="all">
              Confirm all values
            </button>
            <button class="plain" formaction={nextReviewPath} data-skip="">
              Skip
            </button>
          </div>
          <p class="hint">
            “Confirm” is about the values in doubt and those that you change.{' '}
            <a href={correctionPath(garment.uuid)}>Correct measurements and others</a>
          </p>
          <Keys />
        </form>
      </div>
      <script src="/assets/scripts/review.js" type="module"></script>
      <script src="/assets/scripts/lines.js" type="module"></script>
    </div>
  )
}
