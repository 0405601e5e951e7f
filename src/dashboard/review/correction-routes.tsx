import { Hono, type Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { parseCorrections } from '../../correction/rules/correction.ts'
import { maxCm, minCm } from '../../correction/rules/measurement.ts'
import { tenantDatabase } from '../../db/databases/find-database.ts'
import { getGarment } from '../../garment/get-garment.ts'
import { garmentVersion, machineResult, type GarmentRow } from '../../garment/to-garment-response.ts'
import { correctGarment } from '../../correction/correct-garment.ts'
import { correctionDeps } from '../../correction/store-correction.ts'
import { describedByHand } from '../../correction/describe-failed.ts'
import { invalidCorrection } from '../../correction/errors.ts'
import { notCorrectable } from '../errors/page-errors.ts'
import { formBody, readForm, submit } from '../form.ts'
import { garmentsPath, garmentPath } from '../paths.ts'
import { render } from '../parts/render.tsx'
import { problemsOf } from '../problems.ts'
import { correctorOf, type DashboardEnv } from '../viewer.ts'
import { forGarments } from '../with-tenant.tsx'
import { listValues } from '../garments/list/read-filter.ts'
import { resultOf } from '../garments/result-of.ts'
import { CorrectionPage, type CorrectionPageProps } from './correction-page.tsx'
import { mergeStale } from './stale-form.ts'
import { correctionFields, formItemType, formValues, readCorrection } from './read-correction.ts'

const path = '/dashboard/correct'
const title = 'Correct the tags'

export const correctionPages = new Hono<DashboardEnv>()

correctionPages.get(path, forGarments, async (c) => {
  const garment = await readCorrectable(c.env, c.get('tenant').id, c.req.query('uuid'))
  const form = { values: formValues(parseCorrections(garment.corrections)) }
  return await renderCorrection(c, garment, { form })
})

correctionPages.post(path, formBody, forGarments, async (c) => {
  const tenantId = c.get('tenant').id
  const garment = await readCorrectable(c.env, tenantId, c.req.query('uuid'))
  const { uuid } = garment
  c.set('uuid', uuid)
  const values = await readForm(c)
  const machine = machineResult(garment)
  const current = parseCorrections(garment.corrections)
  const stale = values['base'] === undefined ? null : mergeStale(values['base'], formValues(current), values)
  if (stale !== null && stale.changes.length > 0)
    return await renderCorrection(c, garment, { form: { values: stale.values }, changes: stale.changes }, 409)
  if (values['intent'] === 'renew') return await renderCorrection(c, garment, { form: { values } })
  const patch = readCorrection(values, current, machine, values['confirm'] === 'rest')
  const result = await submit(c, async () => {
    const unread = Object.keys(patch.measurements).filter((name) => Number.isNaN(patch.measurements[name]))
    if (unread.length > 0)
      throw invalidCorrection(
        unread.map((name) => `measurements.${name}: must be a number of ${minCm} to ${maxCm} cm, such as 68.5`),
      )
    const by = correctorOf(c)
    await correctGarment(
      correctionDeps(c.env, tenantId),
      tenantId,
      { uuid, patch, by, ifMatch: await garmentVersion(garment) },
      Date.now(),
    )
  })
  if (result.ok) return c.redirect(garmentPath(uuid, listValues(c.req.query())), 303)
  const problems = problemsOf(result.failure, correctionFields(formItemType(values, machine)))
  return await renderCorrection(c, garment, { form: { values, problems } }, result.failure.status)
})

async function renderCorrection(
  c: Context<DashboardEnv>,
  garment: GarmentRow,
  page: Pick<CorrectionPageProps, 'form' | 'changes'>,
  status: ContentfulStatusCode = 200,
) {
  const list = listValues(c.req.query())
  const props = { ...page, garment, list, result: resultOf(c, garment), machine: machineResult(garment) }
  return await render(c, { title, section: garmentsPath, status }, <CorrectionPage {...props} />)
}

async function readCorrectable(env: Env, tenantId: string, uuid = ''): Promise<GarmentRow> {
  const garment = await getGarment(tenantDatabase(env, tenantId), tenantId, uuid)
  if (garment.status === 'failed') return describedByHand(garment)
  if (garment.status !== 'complete') throw notCorrectable()
  return garment
}
