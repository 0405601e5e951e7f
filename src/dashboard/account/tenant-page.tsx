import { clientAddress } from '../../platform/limits/throttle.ts'
import { Card, Facts, Heading, Notice, When } from '../parts/elements.tsx'
import { studioPhotographPath } from '../paths.ts'
import { type Studio, deleteStudio, listStudios, putStudio, studioSchema } from '../../garments/studios.ts'
import { formatNames } from '../../vision/image/formats.ts'
import { Field, type FormState, FileField, PasswordField, PostForm, Form, Summary } from '../parts/form-fields.tsx'
import { Table } from '../parts/list-parts.tsx'
import { Allowed, RowAction } from '../parts/actions.tsx'
import { type DashboardEnv, madeBy, forTenant } from '../viewer.ts'
import { z } from '@hono/zod-openapi'
import { type Context, Hono } from 'hono'
import { runBatch } from '../../platform/db/database.ts'
import { settingsOf } from '../../settings.ts'
import { checkPassword } from '../../accounts/password.ts'
import { deleteTenant } from '../../accounts/delete-tenant.ts'
import { changeTenant, tenantChangeSchema } from '../../accounts/tenant.ts'
import { putRetention, retentionQuery, retentionSchema } from '../../accounts/retention.ts'
import { notDeleted } from '../page-errors.ts'
import { ZoneAndCurrency, toTenant, tenantFields } from '../first-steps.tsx'
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
import { render } from '../parts/layout.tsx'
import { countOlderGarments } from '../../garments/remove-expired-garments.ts'
import { dayMs, sleep } from '../../time.ts'
import { maxImageBytes } from '../../platform/outbound/fetch-image.ts'
import { calibrateStudio } from '../../tagging/calibrate-studio.ts'
import { budget } from '../../platform/limits/isolate-budget.ts'
import { admitMember } from '../../accounts/authenticate.ts'
import { ApiError, maxBodyBytes } from '../../platform/http/errors.ts'
import { limitWrites } from '../limit-writes.ts'

/** The studio's field is not called `name`, because the shop's form on the same page has that field. */
const studioFields = ['studio_name', 'cm_per_pixel']

const photographFields = ['studio', 'image']

interface StudiosProps {
  readonly studios: readonly Studio[]
  readonly form: FormState | undefined
  readonly photograph: FormState | undefined
}

const Studios = ({ studios, form, photograph }: StudiosProps) => (
  <Card id="studios" title="Studios">
    <p class="lead">
      If a studio has a fixed camera, photograph the printed card with it once, or enter how many centimetres one pixel
      covers. Garments that are added with its name as their studio are measured with this scale; all others with an
      estimate from typical sizes. With the printed card beside the garment (<a href="/assets/card-a4.svg">A4</a>,{' '}
      <a href="/assets/card-letter.svg">US Letter</a>) no studio is needed.{' '}
      <a href="/docs/guides/tags-and-measurements#where-centimetres-come-from">Where centimetres come from</a>
    </p>
    {studios.length > 0 && (
      <Table names={['Studio', 'Centimetres per pixel']} hasActions>
        {studios.map(({ name, cm_per_pixel }) => (
          <tr>
            <th scope="row">{name}</th>
            <td data-label="cm per pixel">{cm_per_pixel}</td>
            <RowAction path="/dashboard/tenant/studios/remove" fields={{ name }} label="Remove" about={name} isBad />
          </tr>
        ))}
      </Table>
    )}
    <h3>By a photograph of the printed card</h3>
    <PostForm
      action={studioPhotographPath}
      enctype="multipart/form-data"
      form={photograph}
      button="Read the scale"
      kind="plain"
    >
      <div class="pair">
        <Field name="studio" label="Name of the studio" hint="As you name it when you add garments." />
        <FileField
          name="image"
          label="Photograph of the card"
          hint={`${formatNames}, at most 20 MiB, as the camera takes garments: same place, same zoom, same size.`}
        />
      </div>
    </PostForm>
    <h3>By a number</h3>
    <PostForm action="/dashboard/tenant/studios" form={form} button="Save studio" kind="plain">
      <div class="pair">
        <Field
          name="studio_name"
          label="Studio"
          hint="As you name it when you add garments; upper and lower case are the same."
        />
        <Field
          name="cm_per_pixel"
          type="number"
          label="Centimetres per pixel"
          placeholder="0.05"
          hint="A 30 cm ruler that is 600 pixels long gives 0.05."
        />
      </div>
    </PostForm>
  </Card>
)

const maxCounted = 1000

interface Removal {
  readonly count: number
  readonly days: number
}

interface RetentionProps {
  /** The tenant's own retention period, or null if the operator's applies. */
  readonly tenantDays: number | null
  /** The operator's retention period in days. 0 means unlimited. */
  readonly retentionDays: number
  readonly form: FormState | undefined
  readonly removal: Removal | undefined
}

const Retention = ({ tenantDays, retentionDays, form, removal }: RetentionProps) => (
  <Card id="retention" title="Retention">
    <p class="lead">
      Results, pictures and deliveries are removed{' '}
      {retentionDays === 0
        ? 'never, unless you choose a period'
        : `after ${retentionDays} days, or after a shorter period`}
      . Older results are removed permanently, starting within a minute.
    </p>
    <Form action="/dashboard/tenant/retention" form={form ?? { values: { retention_days: String(tenantDays ?? '') } }}>
      <Summary />
      <Field
        name="retention_days"
        type="number"
        label="Days to keep"
        hint={retentionDays === 0 ? 'Empty keeps everything.' : `1 to ${retentionDays}; empty is ${retentionDays}.`}
        optional
      />
      <button class="plain">Save period</button>
      {/* Enter activates a form's first button, so that button must not remove anything. */}
      {removal !== undefined && <ConfirmRemoval {...removal} />}
    </Form>
  </Card>
)

const ConfirmRemoval = ({ count, days }: Removal) => {
  const period = days === 1 ? 'a day' : `${days} days`
  return (
    <Notice
      tone="bad"
      title={count > 0 ? `This removes ${removedText(count)} permanently.` : `Results will be kept for only ${period}.`}
    >
      <p>
        {count > 0
          ? `They were uploaded more than ${period} ago.`
          : `Each is removed ${period} after its upload, with its pictures and deliveries.`}{' '}
        Nothing has been saved yet.
      </p>
      <button class="bad" name="confirm" value={String(days)}>
        {count > 0 ? 'Save and remove them' : 'Save all the same'}
      </button>
    </Notice>
  )
}

const removedText = (count: number) =>
  count === 1 ? 'one result' : `${count < maxCounted ? '' : 'at least '}${count} results`

const section = '/dashboard/tenant'

export const tenantPages = new Hono<DashboardEnv>()

interface TenantForms {
  readonly settings?: FormState
  readonly studio?: FormState
  readonly photograph?: FormState
  readonly retention?: FormState
  readonly removal?: Removal
  readonly deletion?: FormState
}

async function renderTenant(c: Context<DashboardEnv>, forms: TenantForms = {}) {
  const [db, tenant] = [c.get('db'), c.get('tenant')]
  const {
    studios,
    retention: [retention],
  } = await runBatch(db, {
    studios: listStudios(db, tenant.id),
    retention: retentionQuery(db, tenant.id),
  })
  const { RETENTION_DAYS: retentionDays } = settingsOf(c.env)
  const { name, timezone, currency } = tenant
  const settings = forms.settings ?? { values: { name, 'settings.timezone': timezone, 'settings.currency': currency } }
  return await render(
    c,
    { title: 'Shop', section },
    <>
      <Heading title={tenant.name} lead={tenant.description === '' ? undefined : tenant.description} />
      <section class="card">
        <Allowed to="POST /dashboard/tenant/settings">
          <PostForm action="/dashboard/tenant/settings" form={settings} button="Save the shop">
            <Field name="name" label="Name of your shop" />
            <ZoneAndCurrency />
          </PostForm>
        </Allowed>
        <details id="for-the-api">
          <summary>For the API</summary>
          <Facts
            facts={[
              ['Domain', <code>{tenant.domain}</code>],
              ['Created', <When at={tenant.createdAt} />],
              ['Id', <code>{tenant.id}</code>],
            ]}
          />
        </details>
      </section>
      <Studios studios={studios} form={forms.studio} photograph={forms.photograph} />
      <Allowed to="POST /dashboard/tenant/delete">
        <Retention
          tenantDays={retention?.days ?? null}
          retentionDays={retentionDays}
          form={forms.retention}
          removal={forms.removal}
        />
        <Card id="delete" title="Delete the shop" kind="danger">
          <p>Permanently deletes its garments, pictures, API keys, webhooks and deliveries. Your account stays.</p>
          <PostForm action="/dashboard/tenant/delete" form={forms.deletion} button="Delete the shop" kind="bad">
            <Field name="confirmation" label="Type the name of the shop to confirm" hint={tenant.name} />
            <PasswordField label="Your password" />
          </PostForm>
        </Card>
      </Allowed>
    </>,
  )
}

tenantPages.get(section, forTenant, async (c) => await renderTenant(c))

tenantPages.post(`${section}/settings`, formBody, forTenant, async (c) => {
  const result = await submitForm(c, tenantFields, async (values) => {
    const { name, settings } = toTenant(values)
    const change = parseFields(tenantChangeSchema, { name, settings })
    await changeTenant(c.get('accounts'), c.get('tenant'), change, madeBy(c))
  })
  if (!result.ok) return await renderTenant(c, { settings: result.form })
  return c.redirect(`${section}?done=settings-saved`, 303)
})

tenantPages.post(`${section}/delete`, formBody, forTenant, async (c) => {
  const { id, email, actor } = c.get('viewer')
  const tenant = c.get('tenant')
  const result = await submitForm(c, ['confirmation', 'password'], async (values) => {
    if (values['confirmation']?.trim().toLowerCase() !== tenant.name.toLowerCase())
      throw notDeleted(`type ${tenant.name} to delete it`)
    const credentials = { email, password: values['password'] ?? '', address: clientAddress(c) }
    if ((await checkPassword(c.env, credentials)) === null) throw new ApiError('wrong_password')
    await deleteTenant(c.env, { ...tenant, merchantId: id }, Date.now(), actor)
  })
  if (!result.ok) return await renderTenant(c, { deletion: result.form })
  return c.redirect('/dashboard?done=tenant-deleted', 303)
})

/** Periods shorter than this always need confirmation, because they remove results within days. */
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
