import { Hono } from 'hono'
import { rankedNames } from '../../correction/rules/allowed-values.ts'
import { listReviewCounts } from '../../review/list-review-counts.ts'
import { oneOf } from '../parts/list.tsx'
import { render } from '../parts/render.tsx'
import type { DashboardEnv } from '../viewer.ts'
import { withTenant } from '../with-tenant.tsx'
import { accuracyPath } from '../paths.ts'
import { AccuracyPage } from './accuracy-page.tsx'

const section = '/dashboard/review'
const title = 'Accuracy'
const needsTenant = withTenant(section, title, 'Create a tenant to upload and review garments.')
const weeks = 26

export const accuracyPages = new Hono<DashboardEnv>()

accuracyPages.get(accuracyPath, needsTenant, async (c) => {
  const reviewed = await listReviewCounts(c.get('db'), c.get('tenant').id, weeks, Date.now())
  const attribute = oneOf(rankedNames(), c.req.query(), 'attribute')
  return await render(c, { title, section }, <AccuracyPage weeks={reviewed} attribute={attribute} />)
})
