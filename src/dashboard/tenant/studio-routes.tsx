import { Hono } from 'hono'
import { deleteStudio } from '../../studio/delete-studio.ts'
import { putStudio } from '../../studio/put-studio.ts'
import { studioSchema } from '../../studio/fields.ts'
import { submit, formBody, parseFields, readForm } from '../form.ts'
import { problemsOf } from '../problems.ts'
import { readDecimal } from '../read-decimal.ts'
import { madeBy, type DashboardEnv } from '../viewer.ts'
import { withTenant } from '../with-tenant.tsx'
import { studioFields } from './studios.tsx'
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
  return await renderTenant(c, { studio: { values, problems } }, result.failure.status === 409 ? 409 : 400)
})

studioPages.post(`${path}/remove`, formBody, needsTenant, async (c) => {
  const { name = '' } = await readForm(c)
  await deleteStudio(c.get('db'), c.get('tenant').id, name, madeBy(c))
  return c.redirect('/dashboard/tenant?done=studio-removed', 303)
})
