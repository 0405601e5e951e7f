import { Hono } from 'hono'
import { putPermission } from '../../second-opinion/permission.ts'
import { formBody, readForm } from '../form.ts'
import { madeBy, type DashboardEnv } from '../viewer.ts'
import { withTenant } from '../with-tenant.tsx'

const needsTenant = withTenant('/dashboard/tenant', 'Tenant', 'Create a tenant to choose what happens to its pictures.')

export const permissionPages = new Hono<DashboardEnv>()

permissionPages.post('/dashboard/tenant/second-opinion', formBody, needsTenant, async (c) => {
  const { allowed } = await readForm(c)
  await putPermission(c.get('db'), c.get('tenant').id, allowed === 'yes', madeBy(c))
  return c.redirect('/dashboard/tenant?done=choice-saved', 303)
})
