import { Hono, type Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { rankedNames, reviewedNames } from '../../correction/rules/allowed-values.ts'
import { garmentVersion, type GarmentRow } from '../../garment/to-garment-response.ts'
import { parseCorrections } from '../../correction/rules/correction.ts'
import { claimGarment } from '../../review/claim-garment.ts'
import { correctGarment } from '../../correction/correct-garment.ts'
import { correctionDeps } from '../../correction/store-correction.ts'
import { invalidBody } from '../../http/common-errors.ts'
import { countDoubtful, maxCounted } from '../../review/count-doubtful.ts'
import { findClaimed } from '../../review/find-claimed.ts'
import { putReviewed } from '../../review/put-reviewed.ts'
import { formBody, readForm, submit } from '../form.ts'
import { limitReviewed } from '../limit-writes.ts'
import type { FormState } from '../parts/fields.tsx'
import { render } from '../parts/render.tsx'
import { problemsOf } from '../problems.ts'
import { correctorOf, type DashboardEnv } from '../viewer.ts'
import { withTenant } from '../with-tenant.tsx'
import { tagField } from './read-correction.ts'
import { reviewFilterValues, toReviewFilter } from './filter-values.ts'
import { chosenValue, readReview, shownValues } from './read-review.ts'
import { ReviewPage } from './review-page.tsx'
import { ReviewStart } from './review-start.tsx'
import { mergeStale, type OtherChange } from './stale-form.ts'
import { withQuery } from '../parts/list.tsx'
import { countText } from '../parts/count.tsx'
import {
  nextReviewPath,
  reviewCountPath,
  reviewedAttributesPath,
  reviewPath,
  reviewSection as section,
} from '../paths.ts'
import { resultOf } from '../garments/result-of.ts'

const title = 'Review'
const needsTenant = withTenant(section, title, 'Create a tenant to upload and review garments.')

export const reviewPages = new Hono<DashboardEnv>()

reviewPages.get(section, needsTenant, async (c) => {
  const uuid = c.req.query('uuid')
  const found = await claimed(c, uuid)
  if (found.garment !== null) return await renderGarment(c, { ...found, garment: found.garment }, { values: {} })
  const { hasDoubtful, reviewed, imports } = found
  const isSaved = c.req.query('done') === 'saved'
  const count = c.req.query('count') === 'yes' ? await countLeft(c) : null
  return await render(
    c,
    { title, section },
    <ReviewStart {...{ hasDoubtful, count, reviewed, filter: filterOf(c), imports, uuid, isSaved }} />,
  )
})

reviewPages.get(reviewCountPath, needsTenant, async (c) =>
  c.text(`${countText(await countLeft(c), maxCounted)} in doubt`),
)

reviewPages.post(nextReviewPath, formBody, needsTenant, async (c) => await redirectToNext(c))

reviewPages.post(reviewedAttributesPath, formBody, needsTenant, async (c) => {
  const values = await readForm(c)
  const names = reviewedNames().filter((name) => values[name] === 'yes')
  if (names.length === 0) throw invalidBody(['attributes: choose at least one to review'])
  const tenantId = c.get('tenant').id
  await limitReviewed(c.env, tenantId)
  await putReviewed(c.get('db'), tenantId, names)
  return c.redirect(`${section}?done=saved`, 303)
})

reviewPages.post(section, formBody, needsTenant, async (c) => {
  const found = await claimed(c, c.req.query('uuid'))
  const { garment, reviewed } = found
  // Somebody else may have claimed it by now, whose review must not be overwritten.
  if (garment === null) return c.redirect(reviewPath(c.req.query('uuid') ?? '', filterOf(c)), 303)
  const { uuid } = garment
  c.set('uuid', uuid)
  const given = await readForm(c)
  const tag = resultOf(c, garment).tag ?? {}
  const { base } = given
  const stale = base === undefined ? { changes: [], values: given } : mergeStale(base, shownValues(tag), given)
  const { values } = stale
  const patch = readReview(values, tag, { reviewed, confirmsAll: values['confirm'] === 'all' })
  const by = correctorOf(c)
  const corrections = parseCorrections(garment.corrections)
  /** Whether the person would save a value without having seen what another person has said about it. */
  const isUnseen = (name: string) => chosenValue(given, name) !== tag[name] && corrections.tag[name]?.by.id !== by.id
  const unseen = Object.keys(patch.tag).filter(isUnseen).map(tagField)
  const changes = stale.changes.filter(({ name }) => unseen.includes(name))
  if (changes.length > 0) return await renderGarment(c, { ...found, garment, changes }, { values }, 409)
  const result = await submit(c, async () => {
    const tenantId = c.get('tenant').id
    const ifMatch = await garmentVersion(garment)
    await correctGarment(correctionDeps(c.env, tenantId), tenantId, { uuid, patch, by, ifMatch }, Date.now())
  })
  if (!result.ok) {
    const problems = problemsOf(result.failure, rankedNames().map(tagField))
    return await renderGarment(c, { ...found, garment }, { values, problems }, result.failure.status)
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
  return c.redirect(uuid === null ? withQuery(section, values) : reviewPath(uuid, values), 303)
}

type Claimed = Awaited<ReturnType<typeof claimed>>

interface Shown extends Claimed {
  readonly garment: GarmentRow
  readonly changes?: readonly OtherChange[]
}

async function renderGarment(
  c: Context<DashboardEnv>,
  { garment, reviewed, changes = [] }: Shown,
  form: FormState,
  status: ContentfulStatusCode = 200,
) {
  const props = { garment, result: resultOf(c, garment), form, reviewed, filter: filterOf(c), changes }
  const page = <ReviewPage {...props} />
  return await render(c, { title, section, status }, page)
}
