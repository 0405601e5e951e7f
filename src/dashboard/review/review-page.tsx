import { maxCounted, type ReviewFilter } from '../../garments/review/review.ts'
import {
  allowedValues,
  dependsOnItemType,
  isAllowed,
  rankedNames,
  reviewedNames,
} from '../../garments/corrections/allowed-values.ts'
import type { FormValues } from '../form.ts'
import type { CorrectionPatch } from '../../garments/corrections/check-corrections.ts'
import { confidenceIn } from '../../garments/corrections/correction.ts'
import type { GarmentResult } from '../../garments/fields.ts'
import { shownNumber } from '../../garments/list/garment-number.ts'
import { formatBase, type OtherChange, OtherChanges, tagField } from '../corrections/read-correction.tsx'
import { Confidence, SamePicture } from '../garments/tags.tsx'
import { useContext } from 'hono/jsx'
import { CurrentForm, Form, type FormState, idOf, Summary } from '../parts/fields.tsx'
import type { GarmentRow } from '../../garments/garment.ts'
import { LinePicture } from '../corrections/lines.tsx'
import { garmentPath, nextReviewPath, reviewCountPath, reviewSection } from '../paths.ts'
import { Count, countText, withQuery } from '../parts/list.tsx'
import { Shortcuts } from '../parts/shortcuts.tsx'
import { Breadcrumb } from '../parts/text.tsx'

/** The parameters of the review's addresses. */
export type ReviewFilterValues = Readonly<Partial<Record<'attribute' | 'import', string>>>

/** An unknown attribute is no filter; an unknown import has no garments. */
export function reviewFilterValues(query: FormValues): ReviewFilterValues {
  const attribute = reviewedNames().find((name) => name === query['attribute'])
  const id = query['import']?.slice(0, 64)
  return { ...(attribute === undefined ? {} : { attribute }), ...(id === undefined || id === '' ? {} : { import: id }) }
}

export const toReviewFilter = (values: ReviewFilterValues): ReviewFilter => ({
  attribute: values.attribute,
  importId: values.import,
})

type Tag = NonNullable<GarmentResult['tag']>

/** The field for a value that is not among the predicted alternatives; it wins over the choice among those. */
const otherField = (name: string) => `other.${name}`

export const chosenValue = (values: FormValues, name: string) => values[otherField(name)] || values[tagField(name)]

/** The values that the form shows as chosen. */
export const shownValues = (tag: Tag): FormValues =>
  Object.fromEntries(
    rankedNames().flatMap((name) => {
      const value = tag[name]
      return typeof value === 'string' ? [[tagField(name), value]] : []
    }),
  )

/** @param reviewed the attributes that the tenant has reviewed */
const isDoubtful = (tag: Tag, name: string, reviewed: readonly string[]) => {
  const confidence = confidenceIn(tag, name)
  return confidence !== null && confidence !== 'High' && reviewed.includes(name)
}

interface Looked {
  /** The attributes that the tenant wants reviewed. They are shown first. */
  readonly reviewed: readonly string[]
  /** Whether the person has checked all others too. */
  readonly confirmsAll: boolean
}

/**
 * What the form confirms and corrects: all reviewed attributes, whatever their confidence, and those of the others that
 * were changed. `tag` is the garment's present tag.
 */
export function readReview(values: FormValues, tag: Tag, { reviewed, confirmsAll }: Looked): CorrectionPatch {
  const itemType = chosenValue(values, 'Item Type') ?? ''
  const isNewType = itemType !== tag['Item Type']
  const isLookedAt = (name: string) => confirmsAll || reviewed.includes(name)
  const patch: Record<string, string> = {}
  for (const name of rankedNames()) {
    const value = chosenValue(values, name)
    // Empty if the garment no longer has the attribute.
    if (value === undefined || value === '') continue
    // The garment's fit may make no sense on the item type that was chosen.
    if (isNewType && dependsOnItemType(name) && !isAllowed(name, value, itemType)) continue
    if (isLookedAt(name) || value !== tag[name]) patch[name] = value
  }
  return { tag: patch, measurements: {}, uncounted: Object.keys(patch).filter((name) => !isLookedAt(name)) }
}

interface ReviewedValueProps {
  readonly name: string
  readonly tag: NonNullable<GarmentResult['tag']>
  /** Whether it has the initial focus. */
  readonly isFirst: boolean
  readonly isInDoubt: boolean
}

const text = (value: string | string[] | undefined) => (typeof value === 'string' ? value : '')

/** The value of an attribute, its alternatives, and a list of all others that its item type can have. */
const ReviewedValue = ({ name, tag, isFirst, isInDoubt }: ReviewedValueProps) => {
  const form = useContext(CurrentForm)
  const current = text(tag[name])
  const shown = [current, ...[tag[`${name} Alternatives`] ?? []].flat()]
  const allowed = allowedValues(name, text(tag['Item Type']))
  const others = Array.isArray(allowed) ? allowed.filter((value) => !shown.includes(value)) : []
  const [field, other] = [tagField(name), otherField(name)]
  const chosen = form.values[field] ?? current
  // A value that was chosen when it was still among those that are shown is in the list now.
  const listed = form.values[other] || chosen
  const problems = form.problems?.byField[field]
  return (
    <fieldset class={isInDoubt ? 'reviewed doubtful' : 'reviewed'}>
      <legend>
        {name} <Confidence level={text(tag[`${name} Confidence`])} />
      </legend>
      {problems !== undefined && (
        <p class="problem" id={`${idOf(field)}-problem`}>
          {problems.join(' ')}
        </p>
      )}
      <div class="values">
        {shown.map((value, i) => (
          <label class="choice">
            <input
              type="radio"
              name={field}
              value={value}
              id={i === 0 ? idOf(field) : undefined}
              checked={value === chosen}
              autofocus={isFirst && value === chosen}
            />
            <kbd aria-hidden="true">{i + 1}</kbd> {value}
          </label>
        ))}
        {others.length > 0 && (
          <select name={other} aria-label={`Another value for ${name}`}>
            <option value="">Another …</option>
            {others.map((value) => (
              <option value={value} selected={value === listed}>
                {value}
              </option>
            ))}
          </select>
        )}
      </div>
    </fieldset>
  )
}

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
    <kbd>1</kbd> to <kbd>4</kbd> choose a value, <kbd>↑</kbd> and <kbd>↓</kbd> move between values, <kbd>Enter</kbd>{' '}
    confirms, <kbd>→</kbd> goes to the next garment, <kbd>←</kbd> back.
  </p>
)

interface ReviewPageProps {
  readonly garment: GarmentRow
  readonly result: GarmentResult
  readonly form: FormState | undefined
  /** The attributes that the tenant has reviewed. */
  readonly reviewed: readonly string[]
  readonly filter: ReviewFilterValues
  /** What others have changed since the form was opened. */
  readonly changes?: readonly OtherChange[]
}

/** One garment: its picture beside the values, those in doubt first, then the others that are reviewed. */
export const ReviewPage = (props: ReviewPageProps) => {
  const { garment, result, form, reviewed, filter, changes = [] } = props
  const tag = result.tag ?? {}
  const answered = rankedNames().filter((name) => typeof tag[name] === 'string')
  const inDoubt = (name: string) => isDoubtful(tag, name, reviewed)
  const rankOf = (name: string) => (inDoubt(name) ? 0 : reviewed.includes(name) ? 1 : 2)
  const names = answered.toSorted((a, b) => rankOf(a) - rankOf(b))
  const next = withQuery(nextReviewPath, filter)
  return (
    <>
      <div id="review" data-uuid={garment.uuid} data-next={next}>
        <Breadcrumb name="Review" path={withQuery(reviewSection, filter)}>
          {' / '}
          <a href={garmentPath(garment.uuid)}>{shownNumber(garment.uuid)}</a>
          {' · '}
          <Remaining filter={filter} count={null} />
        </Breadcrumb>
        <h1 class="visually-hidden">Review {shownNumber(garment.uuid)}</h1>
        <SamePicture garment={garment} />
        <div class="result review">
          <LinePicture garment={garment} result={result} caption={result.description} />
          <Form
            class="card"
            action={withQuery(reviewSection, { uuid: garment.uuid, ...filter })}
            form={form}
            fields={{ base: formatBase(shownValues(tag)) }}
          >
            {changes.length > 0 && <OtherChanges changes={changes} />}
            <Summary />
            {names.map((name, i) => (
              <ReviewedValue name={name} tag={tag} isFirst={i === 0} isInDoubt={inDoubt(name)} />
            ))}
            <div class="save">
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
              <a href={garmentPath(garment.uuid)}>Correct measurements and others</a>
            </p>
            <Keys />
          </Form>
        </div>
        <script src="/assets/scripts/review.js" type="module"></script>
        <script src="/assets/scripts/lines.js" type="module"></script>
      </div>
      <Shortcuts of={['review', 'lines']} />
    </>
  )
}
