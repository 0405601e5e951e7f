import { type Context, Hono } from 'hono'
import { rankedNames, reviewedNames } from '../../garments/corrections/allowed-values.ts'
import { Allowed } from '../parts/actions.tsx'
import { Check, Choice, Form, type FormState, PostForm } from '../parts/fields.tsx'
import { countText, withQuery } from '../parts/list.tsx'
import { Empty, Heading, Notice } from '../parts/text.tsx'
import {
  accuracyPath,
  garmentPath,
  nextReviewPath,
  reviewCountPath,
  reviewedAttributesPath,
  reviewSection,
  reviewSection as section,
} from '../paths.ts'
import {
  chosenValue,
  Keys,
  readReview,
  Remaining,
  reviewFilterValues,
  type ReviewFilterValues,
  ReviewPage,
  shownValues,
  toReviewFilter,
} from './review-page.tsx'
import { type GarmentRow, garmentVersion } from '../../garments/garment.ts'
import { parseCorrections } from '../../garments/corrections/correction.ts'
import { claimGarment, countDoubtful, findClaimed, maxCounted, putReviewed } from '../../garments/review/review.ts'
import { correctGarment } from '../../garments/corrections/correct-garment.ts'
import { correctionDeps } from '../../garments/corrections/store-correction.ts'
import { invalidBody } from '../../platform/http/errors.ts'
import { formBody, problemsOf, readForm, submit } from '../form.ts'
import { limitReviewed } from '../limit-writes.ts'
import { render } from '../parts/layout.tsx'
import { correctorOf, type DashboardEnv } from '../viewer.ts'
import { forTenant } from '../with-tenant.ts'
import { shownNumber } from '../../garments/list/garment-number.ts'
import { mergeStale, type OtherChange, tagField } from '../corrections/read-correction.tsx'
import { resultOf } from '../garments/tags.tsx'

/** `item type, colour and pattern` */
const listOf = (names: readonly string[]) =>
  new Intl.ListFormat('en-GB').format(names.map((name) => name.toLowerCase()))

interface ReviewStartProps {
  readonly hasDoubtful: boolean
  /** The number of doubtful garments, if requested. */
  readonly count: number | null
  /** The attributes that the tenant has reviewed. */
  readonly reviewed: readonly string[]
  readonly filter: ReviewFilterValues
  /** The newest ones, to choose from. */
  readonly imports: readonly { readonly id: string; readonly name: string }[]
  /** The requested uuid, if that garment is not claimed for the viewer or the claim has expired. */
  readonly uuid: string | undefined
}

const ReviewStart = ({ reviewed, filter, imports, uuid, ...props }: ReviewStartProps) => (
  <div id="review" data-next={withQuery(nextReviewPath, filter)}>
    <Heading
      title="Review"
      lead={`Garments whose ${listOf(reviewed)} may be wrong, the most doubtful first. What you confirm or correct is sure from then on.`}
    >
      <a class="button plain" href={accuracyPath}>
        Accuracy
      </a>
    </Heading>
    {uuid !== undefined && (
      <Notice tone="calm" title="This garment is not reserved for you any more.">
        <p>
          A garment is reserved for one session for ten minutes.{' '}
          <a href={garmentPath(uuid)}>Open {shownNumber(uuid)}</a>
        </p>
      </Notice>
    )}
    {props.hasDoubtful ? (
      <section class="card" aria-label="Start">
        <p class="figure">
          <Remaining filter={filter} count={props.count} />
        </p>
        {/* Claims the next garment. Reading a page claims nothing. */}
        <PostForm action={withQuery(nextReviewPath, filter)} button="Start reviewing" />
        <Keys />
      </section>
    ) : (
      <Empty title="Nothing to review">
        <p>No garment {hasFilter(filter) && 'of this choice '}has a value in doubt that nobody has looked at.</p>
      </Empty>
    )}
    <Narrow filter={filter} reviewed={reviewed} imports={imports} />
    <Allowed to="POST /dashboard/review/attributes">
      <Reviewed reviewed={reviewed} />
    </Allowed>
  </div>
)

const hasFilter = (filter: ReviewFilterValues) => Object.keys(filter).length > 0

/** Filters the doubtful garments. */
const Narrow = ({ filter, reviewed, imports }: Pick<ReviewStartProps, 'filter' | 'reviewed' | 'imports'>) => (
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

/** What the tenant has reviewed. */
const Reviewed = ({ reviewed }: Pick<ReviewStartProps, 'reviewed'>) => (
  <details class="card">
    <summary>What to review</summary>
    <p class="hint">Only doubt about these brings a garment here. “Confirm” confirms these, sure or not.</p>
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

const title = 'Review'

export const reviewPages = new Hono<DashboardEnv>()

reviewPages.get(section, forTenant, async (c) => {
  const uuid = c.req.query('uuid')
  const found = await claimed(c, uuid)
  if (found.garment !== null) return await renderGarment(c, { ...found, garment: found.garment })
  const { hasDoubtful, reviewed, imports } = found
  const count = c.req.query('count') === 'yes' ? await countLeft(c) : null
  return await render(
    c,
    { title, section },
    <ReviewStart {...{ hasDoubtful, count, reviewed, filter: filterOf(c), imports, uuid }} />,
  )
})

reviewPages.get(reviewCountPath, forTenant, async (c) =>
  c.text(`${countText(await countLeft(c), maxCounted)} in doubt`),
)

reviewPages.post(nextReviewPath, formBody, forTenant, async (c) => await redirectToNext(c))

reviewPages.post(reviewedAttributesPath, formBody, forTenant, async (c) => {
  const values = await readForm(c)
  const names = reviewedNames().filter((name) => values[name] === 'yes')
  if (names.length === 0) throw invalidBody(['Choose at least one to review.'])
  const tenantId = c.get('tenant').id
  await limitReviewed(c.env, tenantId)
  await putReviewed(c.get('db'), tenantId, names)
  return c.redirect(`${section}?done=saved`, 303)
})

reviewPages.post(section, formBody, forTenant, async (c) => {
  const found = await claimed(c, c.req.query('uuid'))
  const { garment, reviewed } = found
  // Somebody else may have claimed it by now, whose review must not be overwritten.
  if (garment === null) return c.redirect(withQuery(section, { uuid: c.req.query('uuid') ?? '', ...filterOf(c) }), 303)
  const { uuid } = garment
  c.set('uuid', uuid)
  const form = await readForm(c)
  const tag = resultOf(c, garment).tag ?? {}
  const { base } = form
  const stale = base === undefined ? { changes: [], values: form } : mergeStale(base, shownValues(tag), form)
  const { values } = stale
  const patch = readReview(values, tag, { reviewed, confirmsAll: values['confirm'] === 'all' })
  const by = correctorOf(c)
  const corrections = parseCorrections(garment.corrections)
  /** Whether the person would save a value without having seen what another person has said about it. */
  const isUnseen = (name: string) => chosenValue(form, name) !== tag[name] && corrections.tag[name]?.by.id !== by.id
  const unseen = Object.keys(patch.tag).filter(isUnseen).map(tagField)
  const changes = stale.changes.filter(({ name }) => unseen.includes(name))
  if (changes.length > 0) {
    c.status(409)
    return await renderGarment(c, { ...found, garment, changes }, { values })
  }
  const result = await submit(c, async () => {
    const tenantId = c.get('tenant').id
    const ifMatch = garmentVersion(garment)
    await correctGarment(
      correctionDeps(c.env, tenantId),
      tenantId,
      { uuid, patch, by, ifMatch, isReview: true },
      Date.now(),
    )
  })
  if (!result.ok) {
    const problems = problemsOf(result.failure, rankedNames().map(tagField))
    return await renderGarment(c, { ...found, garment }, { values, problems })
  }
  // The script on the page has claimed the next one ahead.
  return c.req.header('accept') === 'application/json' ? c.body(null, 204) : await redirectToNext(c)
})

const filterOf = (c: Context<DashboardEnv>) => reviewFilterValues(c.req.query())

const countLeft = async (c: Context<DashboardEnv>) =>
  await countDoubtful(c.get('db'), c.get('tenant').id, toReviewFilter(filterOf(c)))

async function claimed(c: Context<DashboardEnv>, uuid = '') {
  const claim = { uuid, sessionId: c.get('sessionId') }
  return await findClaimed(c.get('db'), c.get('tenant').id, claim, Date.now(), toReviewFilter(filterOf(c)))
}

async function redirectToNext(c: Context<DashboardEnv>): Promise<Response> {
  const values = filterOf(c)
  const filter = toReviewFilter(values)
  const uuid = await claimGarment(c.get('db'), c.get('tenant').id, c.get('sessionId'), Date.now(), filter)
  return c.redirect(withQuery(section, { uuid: uuid ?? undefined, ...values }), 303)
}

type Claimed = Awaited<ReturnType<typeof claimed>>

interface Shown extends Claimed {
  readonly garment: GarmentRow
  readonly changes?: readonly OtherChange[]
}

async function renderGarment(c: Context<DashboardEnv>, { garment, reviewed, changes = [] }: Shown, form?: FormState) {
  const props = { garment, result: resultOf(c, garment), form, reviewed, filter: filterOf(c), changes }
  const page = <ReviewPage {...props} />
  return await render(c, { title, section }, page)
}
