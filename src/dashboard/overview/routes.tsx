import { Hono } from 'hono'
import { tenantDatabase } from '../../db/databases/find-database.ts'
import { getOverview } from '../../overview/get-overview.ts'
import { newSecret } from '../../webhook/config/new-secret.ts'
import { oneOf } from '../parts/list.tsx'
import { render } from '../parts/render.tsx'
import type { DashboardEnv } from '../viewer.ts'
import { OverviewPage } from './overview-page.tsx'
import { purposes } from './steps.tsx'
import { WelcomePage } from './welcome-page.tsx'

const section = '/dashboard'

export const overviewPage = new Hono<DashboardEnv>()

overviewPage.get(section, async (c) => {
  const { tenant, name, clock } = c.get('viewer')
  const title = 'Overview'
  const purpose = oneOf(purposes, c.req.query(), 'purpose')
  if (tenant === null) {
    const wasDeleted = c.req.query('done') === 'tenant-deleted'
    return await render(c, { title, section }, <WelcomePage {...{ name, wasDeleted, purpose }} />)
  }
  const now = Date.now()
  const [overview, usage] = await Promise.all([
    getOverview(tenantDatabase(c.env, tenant.id), tenant.id, now),
    c.env.GATE.getByName(tenant.domain).usage(),
  ])
  const { origin } = new URL(c.req.url)
  const page = (
    <OverviewPage
      overview={overview}
      usage={usage}
      tenant={tenant}
      clock={clock}
      origin={origin}
      secret={newSecret()}
      now={now}
      purpose={purpose}
    />
  )
  return await render(c, { title, section }, page)
})
