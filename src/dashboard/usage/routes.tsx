import { Hono } from 'hono'
import { storedQuery, toStored } from '../../quota/find-stored.ts'
import { quotasOf } from '../../quota/quotas.ts'
import { settingsOf } from '../../settings.ts'
import { openGate } from '../../tenant/open-gate.ts'
import { dailyCountsQuery, fillDays } from '../../usage/list-daily-counts.ts'
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
  const db = c.get('db')
  const [[counts, stored], usage] = await Promise.all([
    db.batch([dailyCountsQuery(db, id, days, now), storedQuery(db, id)]),
    openGate(c.env, domain).usage(),
  ])
  const [used, limits] = [toStored(stored), quotasOf(settingsOf(c.env))]
  return await render(
    c,
    { title: 'Usage', section },
    <UsagePage {...{ days: fillDays(counts, days, now), usage, used, limits, now }} />,
  )
})
