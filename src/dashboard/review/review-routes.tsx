import { Hono, type Context } from 'hono'
import { rankedNames } from '../../correction/rules/allowed-values.ts'
import { toGarmentResponse, type GarmentRow } from '../../garment/to-garment-response.ts'
import { claimGarment } from '../../review/claim-garment.ts'
import { correctGarment } from '../../correction/correct-garment.ts'
import { correctionDeps } from '../../correction/store-correction.ts'
import { findClaimed } from '../../review/find-claimed.ts'
import { settingsOf } from '../../settings.ts'
import { formBody, readForm, submit } from '../form.ts'
import type { FormState } from '../parts/fields.tsx'
import { render } from '../parts/render.tsx'
import { problemsOf } from '../problems.ts'
import { correctorOf, type DashboardEnv } from '../viewer.ts'
import { withTenant } from '../with-tenant.tsx'
import { tagField } from './read-correction.ts'
import { readReview } from './read-review.ts'
import { ReviewPage, ReviewStart } from './review-page.tsx'
import { nextReviewPath, reviewPath, reviewSection as section } from '../paths.ts'

const title = 'Review'
const needsTenant = withTenant(section, title, 'Create a tenant to upload and review garments.')

export const reviewPages = new Hono<DashboardEnv>()

reviewPages.get(section, needsTenant, async (c) => {
  const uuid = c.req.query('uuid')
  const { garment, hasDoubtful } = await claimed(c, uuid)
  if (garment !== null) return await renderGarment(c, garment, { values: {} })
  return await render(c, { title, section }, <ReviewStart hasDoubtful={hasDoubtful} uuid={uuid} />)
})

reviewPages.post(nextReviewPath, formBody, needsTenant, async (c) => await redirectToNext(c))

reviewPages.post(section, formBody, needsTenant, async (c) => {
  const { garment } = await claimed(c, c.req.query('uuid'))
  // Somebody else may have it by now, whose word is not to be overwritten.
  if (garment === null) return c.redirect(reviewPath(c.req.query('uuid') ?? ''), 303)
  const { uuid } = garment
  c.set('uuid', uuid)
  const values = await readForm(c)
  const patch = readReview(values, shownTag(c, garment), values['confirm'] === 'all')
  const result = await submit(c, async () => {
    const tenantId = c.get('tenant').id
    const by = correctorOf(c)
    await correctGarment(correctionDeps(c.env, tenantId), tenantId, { uuid, patch, by }, Date.now())
  })
  if (!result.ok) {
    const problems = problemsOf(result.failure, rankedNames().map(tagField))
    return await renderGarment(c, garment, { values, problems }, result.failure.status)
  }
  // The script on the page has claimed the next one ahead.
  return c.req.header('accept') === 'application/json' ? c.body(null, 204) : await redirectToNext(c)
})

async function claimed(c: Context<DashboardEnv>, uuid = '') {
  const claim = { uuid, sessionId: c.get('sessionId') }
  return await findClaimed(c.get('db'), c.get('tenant').id, claim, Date.now())
}

async function redirectToNext(c: Context<DashboardEnv>): Promise<Response> {
  const uuid = await claimGarment(c.get('db'), c.get('tenant').id, c.get('sessionId'), Date.now())
  return c.redirect(uuid === null ? section : reviewPath(uuid), 303)
}

const resultOf = (c: Context<DashboardEnv>, garment: GarmentRow) =>
  toGarmentResponse(garment, settingsOf(c.env).PUBLIC_URL)

const shownTag = (c: Context<DashboardEnv>, garment: GarmentRow) => resultOf(c, garment).tag ?? {}

async function renderGarment(
  c: Context<DashboardEnv>,
  garment: GarmentRow,
  form: FormState,
  status?: Parameters<typeof render>[1]['status'],
) {
  const page = <ReviewPage garment={garment} result={resultOf(c, garment)} form={form} />
  return await render(c, { title, section, ...(status === undefined ? {} : { status }) }, page)
}
