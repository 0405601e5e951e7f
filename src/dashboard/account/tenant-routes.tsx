import { z } from '@hono/zod-openapi'
import { type Context, Hono } from 'hono'
import { accountDatabase } from '../../platform/db/databases.ts'
import { isOpinionUsed } from '../../tagging/second-opinion.ts'
import { permissionQuery, putPermission } from '../../accounts/second-opinion.ts'
import { newId, runBatch } from '../../platform/db/database.ts'
import { settingsOf } from '../../settings.ts'
import { deleteStudio, listStudios, putStudio, studioSchema } from '../../garments/studios.ts'
import { createTenant } from '../../accounts/create-tenant.ts'
import { wrongPassword } from '../../accounts/errors.ts'
import { checkPassword } from '../../accounts/password.ts'
import { type DashboardEnv, madeBy, originOf } from '../viewer.ts'
import { deleteTenant } from '../../accounts/delete-tenant.ts'
import { changeTenant, inventDomain, newTenantSchema, tenantChangeSchema } from '../../accounts/tenant.ts'
import { putRetention, retentionQuery, retentionSchema } from '../../accounts/retention.ts'
import { notDeleted } from '../errors.ts'
import {
  drain,
  formBody,
  type FormValues,
  parseFields,
  problemsOf,
  readDecimal,
  readFileForm,
  readForm,
  submit,
  submitForm,
} from '../form.ts'
import type { FormState } from '../parts/fields.tsx'
import { render } from '../parts/layout.tsx'
import { WelcomePage } from '../first-steps.tsx'
import { maxCounted, type Removal, tenantFields, TenantPage } from './tenant-page.tsx'
import { forTenant } from '../with-tenant.ts'
import { countOlderGarments } from '../../garments/remove-expired-garments.ts'
import { dayMs, sleep } from '../../time.ts'
import { maxImageBytes } from '../../platform/outbound/fetch-image.ts'
import { calibrateStudio } from '../../tagging/calibrate-studio.ts'
import { budget } from '../../platform/limits/isolate-budget.ts'
import { admitMember } from '../../accounts/authenticate.ts'
import { maxBodyBytes } from '../../platform/http/errors.ts'
import { limitWrites } from '../limit-writes.ts'
import { buildPath, studioPhotographPath } from '../paths.ts'
import { photographFields, studioFields } from './studios.tsx'

const section = '/dashboard/tenant'

export const tenantPages = new Hono<DashboardEnv>()

/** The state of each form on the tenant page. */
export interface TenantPageForms {
  readonly settings?: FormState
  readonly studio?: FormState
  readonly photograph?: FormState
  readonly retention?: FormState
  readonly removal?: Removal
  readonly deletion?: FormState
}

async function renderTenant(c: Context<DashboardEnv>, forms: TenantPageForms = {}) {
  const [db, tenant] = [c.get('db'), c.get('tenant')]
  const {
    studios,
    retention: [retention],
    permission: [permission],
  } = await runBatch(db, {
    studios: listStudios(db, tenant.id),
    retention: retentionQuery(db, tenant.id),
    permission: permissionQuery(db, tenant.id),
  })
  const opinion = { allowsOpinion: permission?.allows ?? true, isOpinionUsed: isOpinionUsed(c.env) }
  const ownDays = retention?.days ?? null
  const { RETENTION_DAYS: retentionDays } = settingsOf(c.env)
  const page = <TenantPage {...{ tenant, studios, ownDays, retentionDays }} {...opinion} {...forms} />
  return await render(c, { title: 'Shop', section }, page)
}

tenantPages.get(section, forTenant, async (c) => await renderTenant(c))

const isShop = ({ purpose }: FormValues) => purpose === 'here'

const toTenant = ({ name = '', domain = '', description = '', ...rest }: FormValues) => ({
  name,
  domain: isShop(rest) ? inventDomain(name, newId()) : domain.trim(),
  description,
  settings: { timezone: rest['settings.timezone']?.trim(), currency: rest['settings.currency']?.trim().toUpperCase() },
})

tenantPages.post(section, formBody, async (c) => {
  const result = await submitForm(c, tenantFields, async (values) => {
    const tenant = parseFields(newTenantSchema, toTenant(values))
    const { id, actor } = c.get('viewer')
    return await createTenant(c.env, id, tenant, Date.now(), actor)
  })
  if (result.ok) return c.redirect(isShop(result.values) ? '/dashboard' : buildPath, 303)
  const { form } = result
  const page = <WelcomePage name={c.get('viewer').name} purpose={isShop(form.values) ? 'here' : 'api'} form={form} />
  return await render(c, { title: 'Create your shop', section: '/dashboard' }, page)
})

tenantPages.post(`${section}/settings`, formBody, forTenant, async (c) => {
  const result = await submitForm(c, tenantFields, async (values) => {
    const { name, settings } = toTenant(values)
    const change = parseFields(tenantChangeSchema, { name, settings })
    const tenant = { id: c.get('tenant').id, merchantId: c.get('viewer').id }
    await changeTenant(accountDatabase(c.env), tenant, change, madeBy(c))
  })
  if (!result.ok) return await renderTenant(c, { settings: result.form })
  return c.redirect(`${section}?done=settings-saved`, 303)
})

tenantPages.post(`${section}/delete`, formBody, forTenant, async (c) => {
  const { id, email, actor } = c.get('viewer')
  const tenant = c.get('tenant')
  const result = await submitForm(c, ['confirmation', 'password'], async (values) => {
    if (values['confirmation']?.trim().toLowerCase() !== tenant.domain)
      throw notDeleted(`type ${tenant.domain} to delete it`)
    const credentials = { email, password: values['password'] ?? '', ...(await originOf(c, email)) }
    if ((await checkPassword(c.env, credentials)) === null) throw wrongPassword()
    await deleteTenant(c.env, { ...tenant, merchantId: id }, Date.now(), actor)
  })
  if (!result.ok) return await renderTenant(c, { deletion: result.form })
  return c.redirect('/dashboard?done=tenant-deleted', 303)
})

tenantPages.post(`${section}/second-opinion`, formBody, forTenant, async (c) => {
  const { allowed } = await readForm(c)
  await putPermission(c.get('db'), c.get('tenant').id, allowed === 'yes', madeBy(c))
  return c.redirect(`${section}?done=choice-saved`, 303)
})

/** A shorter period always needs confirmation, even if it removes nothing yet: it will remove results tomorrow. */
const shortDays = 7

tenantPages.post(`${section}/retention`, formBody, forTenant, async (c) => {
  const result = await submitForm(c, ['retention_days'], async (values) => {
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
  if (!result.ok) return await renderTenant(c, { retention: result.form })
  const { values, value: removal } = result
  if (removal === null) return c.redirect(`${section}?done=retention-saved`, 303)
  c.status(409)
  return await renderTenant(c, { retention: { values }, removal })
})

const { name: studio_name, cm_per_pixel } = studioSchema.shape
const studioForm = z.object({ studio_name, cm_per_pixel })

tenantPages.post(`${section}/studios`, formBody, forTenant, async (c) => {
  const result = await submitForm(c, studioFields, async ({ studio_name = '', cm_per_pixel = '' }) => {
    const scale = cm_per_pixel.trim() && readDecimal(cm_per_pixel)
    const { studio_name: name, ...studio } = parseFields(studioForm, { studio_name, cm_per_pixel: scale })
    await putStudio(c.get('db'), c.get('tenant').id, { name, ...studio }, madeBy(c))
  })
  if (!result.ok) return await renderTenant(c, { studio: result.form })
  return c.redirect(`${section}?done=studio-saved`, 303)
})

/** A photograph of the printed card, from which the scale of a studio is read. */
tenantPages.post(studioPhotographPath, forTenant, async (c) => {
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
  if (result.ok) return c.redirect(`${section}?done=studio-saved`, 303)
  await drain(c.req.raw, maxImageBytes + maxBodyBytes)
  const problems = problemsOf(result.failure, photographFields, { 'name: ': 'studio' })
  return await admitMember(c.get('viewer'), async () => await renderTenant(c, { photograph: { values, problems } }))
})

tenantPages.post(`${section}/studios/remove`, formBody, forTenant, async (c) => {
  const { name = '' } = await readForm(c)
  await deleteStudio(c.get('db'), c.get('tenant').id, name, madeBy(c))
  return c.redirect(`${section}?done=studio-removed`, 303)
})
