import { createMiddleware } from 'hono/factory'
import { tenantDatabase } from '../platform/db/databases.ts'
import type { DashboardEnv } from './viewer.ts'

/** Requires a tenant. Whoever has none is led to the overview, where one is created. */
export const forTenant = createMiddleware<DashboardEnv>(async (c, next) => {
  const { tenant } = c.get('viewer')
  if (tenant === null) return c.redirect('/dashboard', 303)
  c.set('tenant', tenant)
  c.set('db', tenantDatabase(c.env, tenant.id))
  await next()
})
