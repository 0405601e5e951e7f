import { Hono } from 'hono'
import { settingsOf } from '../../settings.ts'
import { countOlderGarments } from '../../garment/maintenance/count-older-garments.ts'
import { putRetention, retentionSchema } from '../../tenant/retention.ts'
import { dayMs } from '../../time.ts'
import { submit, formBody, parseFields, readForm } from '../form.ts'
import { problemsOf } from '../problems.ts'
import { madeBy, type DashboardEnv } from '../viewer.ts'
import { withTenant } from '../with-tenant.tsx'
import { maxCounted } from './retention.tsx'
import { renderTenant } from './tenant-routes.tsx'

const needsTenant = withTenant(
  '/dashboard/tenant',
  'Tenant',
  'Create a tenant to choose how long its results are kept.',
)

/** A shorter period always needs confirmation, even if it removes nothing yet: it will remove results tomorrow. */
const shortDays = 7

export const retentionPages = new Hono<DashboardEnv>()

retentionPages.post('/dashboard/tenant/retention', formBody, needsTenant, async (c) => {
  const values = await readForm(c)
  const result = await submit(c, async () => {
    const schema = retentionSchema(settingsOf(c.env).RETENTION_DAYS)
    const fields = parseFields(schema, { retention_days: values['retention_days']?.trim() ?? '' })
    const { retention_days: days } = fields
    const [db, tenantId] = [c.get('db'), c.get('tenant').id]
    if (days !== null && values['confirm'] !== String(days)) {
      const count = await countOlderGarments(db, tenantId, { beforeMs: Date.now() - days * dayMs, limit: maxCounted })
      if (count > 0 || days < shortDays) return { count, days }
    }
    await putRetention(db, tenantId, days, madeBy(c))
    return null
  })
  if (result.ok && result.value !== null)
    return await renderTenant(c, { retention: { values }, removal: result.value }, 409)
  if (result.ok) return c.redirect('/dashboard/tenant?done=retention-saved', 303)
  const problems = problemsOf(result.failure, ['retention_days'])
  return await renderTenant(c, { retention: { values, problems } }, result.failure.status)
})
