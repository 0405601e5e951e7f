import { Hono } from 'hono'
import { deleteStudio } from '../../studio/delete-studio.ts'
import { putStudio } from '../../studio/put-studio.ts'
import { studioSchema } from '../../studio/fields.ts'
import { drain, submit, formBody, parseFields, readFileForm, readForm, type FormValues } from '../form.ts'
import { maxImageBytes } from '../../outbound/fetch-image.ts'
import { sleep } from '../../time.ts'
import { calibrateStudio } from '../../tagging/calibrate-studio.ts'
import { budget } from '../../tagging/deps.ts'
import { admitMember } from '../../merchant/admit-member.ts'
import { maxBodyBytes } from '../../http/common-errors.ts'
import { limitWrites } from '../limit-writes.ts'
import { studioPhotographPath } from '../paths.ts'
import { problemsOf } from '../problems.ts'
import { readDecimal } from '../read-decimal.ts'
import { madeBy, type DashboardEnv } from '../viewer.ts'
import { withTenant } from '../with-tenant.tsx'
import { photographFields, studioFields } from './studios.tsx'
import { renderTenant } from './tenant-routes.tsx'

const path = '/dashboard/tenant/studios'
const needsTenant = withTenant('/dashboard/tenant', 'Tenant', 'Create a tenant to set up studios.')

export const studioPages = new Hono<DashboardEnv>()

studioPages.post(path, formBody, needsTenant, async (c) => {
  const values = await readForm(c)
  const { name = '', cm_per_pixel = '' } = values
  const result = await submit(c, async () => {
    const studio = parseFields(studioSchema, { name, cm_per_pixel: cm_per_pixel.trim() && readDecimal(cm_per_pixel) })
    await putStudio(c.get('db'), c.get('tenant').id, studio, madeBy(c))
  })
  if (result.ok) return c.redirect('/dashboard/tenant?done=studio-saved', 303)
  const problems = problemsOf(result.failure, studioFields)
  return await renderTenant(c, { studio: { values, problems } }, result.failure.status)
})

/** A photograph of the printed card, from which the scale of a studio is read. */
studioPages.post(studioPhotographPath, needsTenant, async (c) => {
  const tenantId = c.get('tenant').id
  let values: FormValues = {}
  const result = await submit(c, async () => {
    await limitWrites(c.env, tenantId)
    const { fields, file } = await readFileForm(c, maxImageBytes)
    values = fields
    const cmPerPixel = await calibrateStudio({ budget, now: Date.now, sleep }, tenantId, file)
    const studio = parseFields(studioSchema, { name: fields['studio'] ?? '', cm_per_pixel: cmPerPixel })
    await putStudio(c.get('db'), tenantId, studio, madeBy(c))
  })
  if (result.ok) return c.redirect('/dashboard/tenant?done=studio-saved', 303)
  await drain(c.req.raw, maxImageBytes + maxBodyBytes)
  const problems = problemsOf(result.failure, photographFields, { 'name: ': 'studio' })
  const { status } = result.failure
  return await admitMember(
    c.get('viewer'),
    async () => await renderTenant(c, { photograph: { values, problems } }, status),
  )
})

studioPages.post(`${path}/remove`, formBody, needsTenant, async (c) => {
  const { name = '' } = await readForm(c)
  await deleteStudio(c.get('db'), c.get('tenant').id, name, madeBy(c))
  return c.redirect('/dashboard/tenant?done=studio-removed', 303)
})
