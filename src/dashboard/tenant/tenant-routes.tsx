import { Hono, type Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { tenantDatabase } from '../../db/databases/find-database.ts'
import { isOpinionUsed } from '../../second-opinion/answer.ts'
import { permissionQuery } from '../../second-opinion/permission.ts'
import { newId } from '../../db/ids.ts'
import { settingsOf } from '../../settings.ts'
import { studiosQuery } from '../../studio/list-studios.ts'
import { createTenant } from '../../tenant/create-tenant.ts'
import { wrongPassword } from '../../merchant/errors.ts'
import { checkPassword } from '../../merchant/password/check-password.ts'
import { originOf } from '../session.ts'
import { deleteTenant } from '../../tenant/delete-tenant.ts'
import { inventDomain } from '../../tenant/domain.ts'
import { newTenantSchema } from '../../tenant/fields.ts'
import { retentionQuery } from '../../tenant/retention.ts'
import { notDeleted } from '../errors/page-errors.ts'
import { submit, formBody, parseFields, readForm, type FormValues } from '../form.ts'
import type { FormState } from '../parts/fields.tsx'
import { render } from '../parts/render.tsx'
import { problemsOf } from '../problems.ts'
import type { DashboardEnv } from '../viewer.ts'
import type { Removal } from './retention.tsx'
import { tenantDefaults, tenantFields } from './tenant-form.tsx'
import { NewTenantPage, TenantPage } from './tenant-page.tsx'

const section = '/dashboard/tenant'

export const tenantPages = new Hono<DashboardEnv>()

/** The state of each form on the tenant page. */
export interface TenantPageForms {
  readonly studio?: FormState
  readonly photograph?: FormState
  readonly retention?: FormState
  readonly removal?: Removal
  readonly deletion?: FormState
}

export async function renderTenant(
  c: Context<DashboardEnv>,
  forms: TenantPageForms,
  status: ContentfulStatusCode = 200,
) {
  const { tenant, clock } = c.get('viewer')
  if (tenant === null) return c.redirect(section, 303)
  const db = tenantDatabase(c.env, tenant.id)
  const [studios, [retention], [permission]] = await db.batch([
    studiosQuery(db, tenant.id),
    retentionQuery(db, tenant.id),
    permissionQuery(db, tenant.id),
  ])
  const opinion = { allowsOpinion: permission?.allows ?? true, isOpinionUsed: isOpinionUsed(c.env) }
  const ownDays = retention?.days ?? null
  const { RETENTION_DAYS: retentionDays } = settingsOf(c.env)
  const done = c.req.query('done')
  const page = <TenantPage {...{ tenant, clock, studios, ownDays, retentionDays, done }} {...opinion} {...forms} />
  return await render(c, { title: 'Tenant', section, status }, page)
}

tenantPages.get(section, async (c) => {
  if (c.get('viewer').tenant !== null) return await renderTenant(c, {})
  return await render(c, { title: 'Create a tenant', section }, <NewTenantPage form={{ values: tenantDefaults }} />)
})

const isShop = ({ purpose }: FormValues) => purpose === 'here'

const toTenant = ({ name = '', domain = '', description = '', ...rest }: FormValues) => ({
  name,
  domain: isShop(rest) ? inventDomain(name, newId()) : domain.trim(),
  description,
  settings: { timezone: rest['settings.timezone']?.trim(), currency: rest['settings.currency']?.trim().toUpperCase() },
})

tenantPages.post(section, formBody, async (c) => {
  const values = await readForm(c)
  const result = await submit(c, async () => {
    const tenant = parseFields(newTenantSchema, toTenant(values))
    const { id, actor } = c.get('viewer')
    return await createTenant(c.env, id, tenant, Date.now(), actor)
  })
  if (result.ok) return c.redirect(isShop(values) ? '/dashboard' : '/dashboard?purpose=api', 303)
  const problems = problemsOf(result.failure, tenantFields)
  const { status } = result.failure
  const page = <NewTenantPage form={{ values, problems }} isShop={isShop(values)} />
  return await render(c, { title: 'Create a tenant', section, status }, page)
})

tenantPages.post(`${section}/delete`, formBody, async (c) => {
  const values = await readForm(c)
  const { id, email, tenant, actor } = c.get('viewer')
  if (tenant === null) return c.redirect(section, 303)
  const result = await submit(c, async () => {
    if (values['confirmation']?.trim().toLowerCase() !== tenant.domain)
      throw notDeleted(`type ${tenant.domain} to delete it`)
    const credentials = { email, password: values['password'] ?? '', ...(await originOf(c, email)) }
    if ((await checkPassword(c.env, credentials)) === null) throw wrongPassword()
    await deleteTenant(c.env, { ...tenant, merchantId: id }, Date.now(), actor)
  })
  if (result.ok) return c.redirect('/dashboard?done=tenant-deleted', 303)
  const problems = problemsOf(result.failure, ['confirmation', 'password'])
  return await renderTenant(c, { deletion: { values, problems } }, result.failure.status)
})
