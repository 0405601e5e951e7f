import {
  maxCounted,
  type ReviewFilter,
  claimGarment,
  countDoubtful,
  findClaimed,
  putReviewed,
  releaseClaims,
} from '../../garments/review/review.ts'
import {
  allowedValues,
  dependsOnItemType,
  isAllowed,
  rankedNames,
  reviewedNames,
} from '../../garments/corrections/allowed-values.ts'
import { type LabelKey, labelKeys } from '../../labels/understanding/understand-label.ts'
import { suggestedKeys } from '../../garments/label.ts'
import { limitSearch } from '../../garments/list/limit-searches.ts'
import { type FormValues, formBody, problemsOf, readForm, submit } from '../form.ts'
import type { CorrectionPatch } from '../../garments/corrections/check-corrections.ts'
import { confidenceIn, parseCorrections } from '../../garments/corrections/correction.ts'
import { type GarmentResult, parseAttribute } from '../../garments/garment-fields.ts'
import { shownNumber } from '../../garments/list/garment-number.ts'
import { formatBase, type OtherChange, OtherChanges, tagField, mergeStale } from '../corrections/read-correction.tsx'
import { AboutPicture, Confidence, resultOf } from '../garments/tag-notes.tsx'
import { useContext } from 'hono/jsx'
import { CurrentForm, Form, type FormState, idOf, Summary, Check, Choice, PostForm } from '../parts/form-fields.tsx'
import { type GarmentRow, garmentVersion } from '../../garments/garment.ts'
import { LinePicture } from '../corrections/measurement-lines.tsx'
import {
  garmentPath,
  garmentsPath,
  nextReviewPath,
  reviewCountPath,
  reviewSection,
  accuracyPath,
  reviewedAttributesPath,
} from '../paths.ts'
import { Count, countText, withQuery } from '../parts/list-parts.tsx'
import { Shortcuts } from '../parts/shortcuts.tsx'
import { ButtonLink, PlainLink, Breadcrumb, Empty, Heading, Notice } from '../parts/elements.tsx'
import { type Context, Hono } from 'hono'
import { Allowed } from '../parts/actions.tsx'
import { correctGarment } from '../../garments/corrections/correct-garment.ts'
import { correctionDeps } from '../../garments/corrections/store-correction.ts'
import { invalidBody } from '../../platform/http/errors.ts'
import { limitReviewed } from '../limit-writes.ts'
import { render } from '../parts/layout.tsx'
import { correctorOf, type DashboardEnv, forTenant } from '../viewer.ts'

type ReviewFilterValues = Readonly<Partial<Record<'attribute' | 'import', string>>>

function reviewFilterValues(query: FormValues): ReviewFilterValues {
  const attribute = reviewedNames().find((name) => name === query['attribute'])
  const id = query['import']?.slice(0, 64)
  return { ...(attribute === undefined ? {} : { attribute }), ...(id === undefined || id === '' ? {} : { import: id }) }
}

const toReviewFilter = (values: ReviewFilterValues): ReviewFilter => ({
  attribute: values.attribute,
  importId: values.import,
})

type Tag = NonNullable<GarmentResult['tag']>

/** Field for a value that is not among the predicted alternatives. It takes precedence over them. */
const otherField = (name: string) => `other.${name}`

const chosenValue = (values: FormValues, name: string) => values[otherField(name)] || values[tagField(name)]

const shownValues = (tag: Tag): FormValues =>
  Object.fromEntries(
    rankedNames().flatMap((name) => {
      const value = tag[name]
      return typeof value === 'string' ? [[tagField(name), value]] : []
    }),
  )

const isDoubtful = (tag: Tag, name: string, reviewed: readonly string[]) => {
  const confidence = confidenceIn(tag, name)
  return confidence !== null && confidence !== 'High' && reviewed.includes(name)
}

interface ReviewScope {
  /** Attributes that the tenant wants reviewed. They come first. */
  readonly reviewed: readonly string[]
  /** True if the person has also checked all other attributes. */
  readonly confirmsAll: boolean
}

/** Reads the confirmed and corrected values: all reviewed attributes, and other attributes that were changed. */
export function readReview(
  values: FormValues,
  result: Pick<GarmentResult, 'tag' | 'label'>,
  { reviewed, confirmsAll }: ReviewScope,
): CorrectionPatch {
  const tag = result.tag ?? {}
  const itemType = chosenValue(values, 'Item Type') ?? ''
  const isNewType = itemType !== tag['Item Type']
  const isInScope = (name: string) => confirmsAll || reviewed.includes(name)
  const patch: Record<string, string> = {}
  for (const name of rankedNames()) {
    const value = chosenValue(values, name)
    if (value === undefined || value === '') continue
    // The value may be impossible for the chosen item type.
    if (isNewType && dependsOnItemType(name) && !isAllowed(name, value, itemType)) continue
    if (isInScope(name) || value !== tag[name]) patch[name] = value
  }
  const rejected: Record<string, string> = {}
  for (const key of labelKeys) {
    const [value, read] = [values[tagField(key)], result.label?.[key]]
    if (value) patch[key] = value
    else if (value === '' && read !== undefined) rejected[key] = read
  }
  return { tag: patch, measurements: {}, uncounted: Object.keys(patch).filter((name) => !isInScope(name)), rejected }
}

interface ReviewedValueProps {
  readonly name: string
  readonly tag: NonNullable<GarmentResult['tag']>
  readonly isFirst: boolean
  readonly isInDoubt: boolean
}

const text = (value: string | string[] | undefined) => (typeof value === 'string' ? value : '')

/** Shows an attribute's value, its alternatives, and a list of all other values of the item type. */
const ReviewedValue = ({ name, tag, isFirst, isInDoubt }: ReviewedValueProps) => {
  const form = useContext(CurrentForm)
  const current = text(tag[name])
  const shown = [current, ...[tag[`${name} Alternatives`] ?? []].flat()]
  const allowed = allowedValues(name, text(tag['Item Type']))
  const others = Array.isArray(allowed) ? allowed.filter((value) => !shown.includes(value)) : []
  const [field, other] = [tagField(name), otherField(name)]
  const chosen = form.values[field] ?? current
  // A submitted value may no longer be among the alternatives. It is then selected in the list.
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

interface LabelSuggestionsProps {
  readonly label: NonNullable<GarmentResult['label']>
  readonly keys: readonly LabelKey[]
  readonly isFirst: boolean
}

/** Asks about values that were read from the label with Low confidence, each beside its crop. */
const LabelSuggestions = ({ label, keys, isFirst }: LabelSuggestionsProps) => (
  <>
    {keys.map((key, place) => {
      const value = label[key] ?? ''
      const crop = label.proof[key]?.crop
      return (
        <fieldset class="reviewed doubtful">
          <legend>
            {key} on the label <Confidence level="Low" />
          </legend>
          {crop !== undefined && <img src={new URL(crop).pathname} alt={`The label, where it says ${value}`} />}
          <div class="values">
            {[value, ''].map((choice, i) => (
              <label class="choice">
                <input
                  type="radio"
                  name={tagField(key)}
                  value={choice}
                  checked={choice === ''}
                  autofocus={isFirst && place === 0 && choice === ''}
                />
                <kbd aria-hidden="true">{i + 1}</kbd> {choice || 'Leave out'}
              </label>
            ))}
          </div>
        </fieldset>
      )
    })}
  </>
)

interface RemainingProps {
  readonly filter: ReviewFilterValues
  readonly count: number | null
}

const Remaining = ({ filter, count }: RemainingProps) =>
  count === null ? (
    <Count
      label="How many are left?"
      page={withQuery(reviewSection, { ...filter, count: 'yes' })}
      source={withQuery(reviewCountPath, filter)}
    />
  ) : (
    <>{countText(count, maxCounted)} in doubt</>
  )

const Keys = () => (
  <p class="hint keys">
    <kbd>1</kbd> to <kbd>4</kbd> choose a value, <kbd>↑</kbd> and <kbd>↓</kbd> move between values, <kbd>Enter</kbd>{' '}
    confirms, <kbd>→</kbd> saves a changed value or skips the garment, <kbd>←</kbd> goes back.
  </p>
)

interface ReviewPageProps {
  readonly garment: GarmentRow
  readonly result: GarmentResult
  readonly form: FormState | undefined
  readonly reviewed: readonly string[]
  readonly filter: ReviewFilterValues
  readonly changes?: readonly OtherChange[]
}

/** Shows one garment's picture beside its values: doubtful values first, then other reviewed values. */
export const ReviewPage = (props: ReviewPageProps) => {
  const { garment, result, form, reviewed, filter, changes = [] } = props
  const tag = result.tag ?? {}
  const answered = rankedNames().filter((name) => typeof tag[name] === 'string')
  const inDoubt = (name: string) => isDoubtful(tag, name, reviewed)
  const rankOf = (name: string) => (inDoubt(name) ? 0 : reviewed.includes(name) ? 1 : 2)
  const names = answered.toSorted((a, b) => rankOf(a) - rankOf(b))
  const doubtful = names.filter(inDoubt)
  const suggested = suggestedKeys(result.label, parseAttribute(garment.attribute))
  const isFirst = (name: string) => name === names[0] && (doubtful.length > 0 || suggested.length === 0)
  const show = (shown: readonly string[]) =>
    shown.map((name) => (
      <ReviewedValue name={name} tag={tag} isFirst={isFirst(name)} isInDoubt={doubtful.includes(name)} />
    ))
  const next = withQuery(nextReviewPath, filter)
  return (
    <>
      <div id="review" data-uuid={garment.uuid} data-next={next}>
        <Breadcrumb name="Review" path={withQuery(reviewSection, filter)}>
          {' / '}
          <a href={garmentPath(garment.uuid)}>{shownNumber(garment)}</a>
          {' · '}
          <Remaining filter={filter} count={null} />
        </Breadcrumb>
        <h1 class="visually-hidden">Review {shownNumber(garment)}</h1>
        <AboutPicture {...{ garment, result }} />
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
            {show(doubtful)}
            {result.label !== null && (
              <LabelSuggestions label={result.label} keys={suggested} isFirst={doubtful.length === 0} />
            )}
            {show(names.slice(doubtful.length))}
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
              “Confirm” applies to {reviewed.join(', ')} and to values that you change.{' '}
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

const listOf = (names: readonly string[]) =>
  new Intl.ListFormat('en-GB').format(names.map((name) => name.toLowerCase()))

const hasFilter = (filter: ReviewFilterValues) => Object.keys(filter).length > 0

interface NarrowProps {
  readonly filter: ReviewFilterValues
  readonly reviewed: readonly string[]
  readonly imports: readonly { readonly id: string; readonly name: string }[]
}

const Narrow = ({ filter, reviewed, imports }: NarrowProps) => (
  <details class="card" open={hasFilter(filter)}>
    <summary>Review only some</summary>
    <Form method="get" action={reviewSection} form={{ values: filter }}>
      <div class="pair">
        <Choice name="attribute" label="With doubt about" empty="Anything" values={reviewed} optional />
        <Choice
          name="import"
          label="Of the import"
          empty="All garments"
          values={imports.map(({ id }) => id)}
          names={Object.fromEntries(imports.map(({ id, name }) => [id, name]))}
          optional
        />
      </div>
      <button class="plain">Show</button>
    </Form>
  </details>
)

const Reviewed = ({ reviewed }: Pick<NarrowProps, 'reviewed'>) => (
  <details class="card">
    <summary>What to review</summary>
    <p class="hint">Garments with doubt about these attributes are reviewed. “Confirm” confirms all of them.</p>
    <PostForm
      action={reviewedAttributesPath}
      form={{ values: Object.fromEntries(reviewed.map((name) => [name, 'yes'])) }}
      button="Save"
      kind="plain"
    >
      {reviewedNames().map((name) => (
        <Check name={name} label={name} />
      ))}
    </PostForm>
  </details>
)

export const reviewPages = new Hono<DashboardEnv>()

reviewPages.get(reviewSection, forTenant, async (c) => {
  const uuid = c.req.query('uuid')
  const found = await claimed(c, uuid)
  if (found.garment !== null) return await renderGarment(c, { ...found, garment: found.garment })
  const { hasDoubtful, reviewed, imports } = found
  const isEnd = c.req.query('end') !== undefined
  const count = c.req.query('count') === 'yes' ? await countLeft(c) : null
  const filter = filterOf(c)
  return await render(
    c,
    { title: 'Review', section: reviewSection },
    <div id="review" data-next={withQuery(nextReviewPath, filter)}>
      <Heading
        title="Review"
        lead={`Garments whose ${listOf(reviewed)} may be wrong or whose label was hard to read, most doubtful first. Values that you confirm or correct become certain.`}
      >
        <PlainLink to={accuracyPath}>Accuracy</PlainLink>
      </Heading>
      {uuid !== undefined && (
        <Notice tone="calm" title="This garment is no longer reserved for you.">
          <p>
            A garment is reserved for ten minutes. <a href={garmentPath(uuid)}>Open the garment</a>
          </p>
        </Notice>
      )}
      {hasDoubtful && isEnd && (
        <section class="card" aria-labelledby="end">
          <h2 id="end">You have seen all of them</h2>
          <p>
            <Remaining filter={filter} count={count} />: you skipped these garments, or somebody else is reviewing them
            now.
          </p>
          <PostForm
            action={withQuery(nextReviewPath, filter)}
            fields={{ again: 'yes' }}
            button="Review the skipped ones"
          />
        </section>
      )}
      {hasDoubtful && !isEnd && (
        <section class="card" aria-label="Start">
          <p class="figure">
            <Remaining filter={filter} count={count} />
          </p>
          {/* POST, because it claims the next garment. GET requests claim nothing. */}
          <PostForm action={withQuery(nextReviewPath, filter)} button="Start reviewing" />
          <Keys />
        </section>
      )}
      {!hasDoubtful && (
        <Empty title="Nothing to review">
          <p>No garment {hasFilter(filter) && 'of this choice '}has a doubtful value that nobody has checked.</p>
          <p>
            <ButtonLink to={garmentsPath}>Show all garments</ButtonLink>
          </p>
        </Empty>
      )}
      <Narrow filter={filter} reviewed={reviewed} imports={imports} />
      <Allowed to="POST /dashboard/review/attributes">
        <Reviewed reviewed={reviewed} />
      </Allowed>
    </div>,
  )
})

reviewPages.get(reviewCountPath, forTenant, async (c) =>
  c.text(`${countText(await countLeft(c), maxCounted)} in doubt`),
)

reviewPages.post(nextReviewPath, formBody, forTenant, async (c) => {
  if ((await readForm(c))['again'] === 'yes') await releaseClaims(c.get('db'), c.get('tenant').id, c.get('sessionId'))
  return await redirectToNext(c)
})

reviewPages.post(reviewedAttributesPath, formBody, forTenant, async (c) => {
  const values = await readForm(c)
  const names = reviewedNames().filter((name) => values[name] === 'yes')
  if (names.length === 0) throw invalidBody(['Choose at least one to review.'])
  const tenantId = c.get('tenant').id
  await limitReviewed(c.env, tenantId)
  await putReviewed(c.get('db'), tenantId, names)
  return c.redirect(`${reviewSection}?done=saved`, 303)
})

reviewPages.post(reviewSection, formBody, forTenant, async (c) => {
  const found = await claimed(c, c.req.query('uuid'))
  const { garment, reviewed } = found
  // Another member may have claimed the garment meanwhile, whose review must not be overwritten.
  if (garment === null)
    return c.redirect(withQuery(reviewSection, { uuid: c.req.query('uuid') ?? '', ...filterOf(c) }), 303)
  const { uuid } = garment
  c.set('uuid', uuid)
  const form = await readForm(c)
  const result = resultOf(c, garment)
  const tag = result.tag ?? {}
  const { base } = form
  const stale = base === undefined ? { changes: [], values: form } : mergeStale(base, shownValues(tag), form)
  const { values } = stale
  const patch = readReview(values, result, { reviewed, confirmsAll: values['confirm'] === 'all' })
  const by = correctorOf(c)
  const corrections = parseCorrections(garment.corrections)
  /** True if saving would overwrite a value that another person has set and this person has not seen. */
  const isUnseen = (name: string) => chosenValue(form, name) !== tag[name] && corrections.tag[name]?.by.id !== by.id
  const unseen = Object.keys(patch.tag).filter(isUnseen).map(tagField)
  const changes = stale.changes.filter(({ name }) => unseen.includes(name))
  if (changes.length > 0) {
    c.status(409)
    return await renderGarment(c, { ...found, garment, changes }, { values })
  }
  const saved = await submit(c, async () => {
    const tenantId = c.get('tenant').id
    const ifMatch = garmentVersion(garment)
    await correctGarment(
      correctionDeps({ env: c.env, db: c.get('db') }),
      tenantId,
      { uuid, patch, by, ifMatch, isReview: true },
      Date.now(),
    )
  })
  if (!saved.ok) {
    const problems = problemsOf(saved.failure, [...rankedNames(), ...labelKeys].map(tagField))
    return await renderGarment(c, { ...found, garment }, { values, problems })
  }
  // The page's script has already claimed the next garment.
  return c.req.header('accept') === 'application/json' ? c.body(null, 204) : await redirectToNext(c)
})

const filterOf = (c: Context<DashboardEnv>) => reviewFilterValues(c.req.query())

async function countLeft(c: Context<DashboardEnv>): Promise<number> {
  const { id: tenantId } = c.get('tenant')
  const count = async () => await countDoubtful(c.get('db'), tenantId, toReviewFilter(filterOf(c)))
  return await limitSearch(c.env, tenantId, count)
}

async function claimed(c: Context<DashboardEnv>, uuid = '') {
  const claim = { uuid, sessionId: c.get('sessionId') }
  return await findClaimed(c.get('db'), c.get('tenant').id, claim, Date.now(), toReviewFilter(filterOf(c)))
}

async function redirectToNext(c: Context<DashboardEnv>): Promise<Response> {
  const values = filterOf(c)
  const filter = toReviewFilter(values)
  const uuid = await claimGarment(c.get('db'), c.get('tenant').id, c.get('sessionId'), Date.now(), filter)
  return c.redirect(withQuery(reviewSection, uuid === null ? { end: 'yes', ...values } : { uuid, ...values }), 303)
}

type Claimed = Awaited<ReturnType<typeof claimed>>

interface Shown extends Claimed {
  readonly garment: GarmentRow
  readonly changes?: readonly OtherChange[]
}

async function renderGarment(c: Context<DashboardEnv>, { garment, reviewed, changes = [] }: Shown, form?: FormState) {
  const props = { garment, result: resultOf(c, garment), form, reviewed, filter: filterOf(c), changes }
  return await render(c, { title: 'Review', section: reviewSection }, <ReviewPage {...props} />)
}
