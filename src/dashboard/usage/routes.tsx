import { Hono } from 'hono'
import { openDatabase } from '../../db/client.ts'
import { openGate } from '../../tenant/open-gate.ts'
import { listDailyCounts } from '../../usage/list-daily-counts.ts'
import { render } from '../parts/render.tsx'
import type { DashboardEnv } from '../viewer.ts'
import { withTenant } from '../with-tenant.tsx'
import { UsagePage } from './usage-page.tsx'

const section = '/dashboard/usage'
const needsTenant = withTenant(section, 'Usage', 'Create a tenant to see your requests, garments and deliveries.')
const days = 30

export const usagePage = new Hono<DashboardEnv>()

usagePage.get(section, needsTenant, async (c) => {
  const { id, domain } = c.get('tenant')
  const now = Date.now()
  const [counts, usage] = await Promise.all([
    listDailyCounts(openDatabase(c.env.DB), id, days, now),
    openGate(c.env, domain).usage(),
  ])
  return await render(c, { title: 'Usage', section }, <UsagePage days={counts} usage={usage} now={now} />)
})
