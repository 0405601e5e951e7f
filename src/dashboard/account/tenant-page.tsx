import { useContext } from 'hono/jsx'
import {
  Check,
  CurrentForm,
  Field,
  Form,
  type FormState,
  PasswordField,
  PostForm,
  Summary,
  TextArea,
} from '../parts/fields.tsx'
import { Card, Facts, Heading, Notice, When } from '../parts/text.tsx'
import type { Studio } from '../../garments/studios.ts'
import { Allowed } from '../parts/actions.tsx'
import type { Tenant } from '../viewer.ts'
import { Studios } from './studios.tsx'
import type { TenantPageForms } from './tenant-routes.tsx'

interface PermissionProps {
  readonly allowsOpinion: boolean
  /** Whether the service asks for second opinions at present. */
  readonly isUsed: boolean
}

/** Whether pictures of the tenant may be sent to a model of the platform. */
const Permission = ({ allowsOpinion, isUsed }: PermissionProps) => (
  <Card id="second-opinion" title="Second opinion">
    <p class="lead">
      Where the tagger is unsure, this service can ask a larger model of Cloudflare Workers AI. It is sent the part of
      the picture that shows the garment, and nothing else of yours.{' '}
      {isUsed ? 'It is in use.' : 'The service does not do that at present.'}{' '}
      <a href="/docs/operations/second-opinion">What it changes</a>
    </p>
    <PostForm
      action="/dashboard/tenant/second-opinion"
      form={{ values: { allowed: allowsOpinion ? 'yes' : '' } }}
      button="Save choice"
      kind="plain"
    >
      <Check name="allowed" label="My pictures may be sent to it" />
    </PostForm>
  </Card>
)

/** No more results are counted: the page then says “at least”. */
export const maxCounted = 1000

/** The results that a period would remove if it were saved. */
export interface Removal {
  readonly count: number
  readonly days: number
}

interface RetentionProps {
  /** The tenant's own period; null for the operator's. */
  readonly ownDays: number | null
  /** The operator's period in days; 0 means unlimited. */
  readonly retentionDays: number
  readonly form: FormState | undefined
  readonly removal: Removal | undefined
}

/** The form of the tenant's retention period. */
const Retention = ({ ownDays, retentionDays, form, removal }: RetentionProps) => (
  <Card id="retention" title="Retention">
    <p class="lead">
      Results, pictures and deliveries are removed{' '}
      {retentionDays === 0
        ? 'never, unless you choose a period'
        : `after ${retentionDays} days, or after a shorter period`}
      . What is older than the period is removed for good, beginning within a minute.
    </p>
    <Form action="/dashboard/tenant/retention" form={form ?? { values: { retention_days: String(ownDays ?? '') } }}>
      <Summary />
      <Field
        name="retention_days"
        type="number"
        label="Days to keep"
        hint={retentionDays === 0 ? 'Empty keeps everything.' : `1 to ${retentionDays}; empty is ${retentionDays}.`}
        optional
      />
      <button class="plain">Save period</button>
      {/* Enter activates the first button of a form, which must not remove anything. */}
      {removal !== undefined && <ConfirmRemoval {...removal} />}
    </Form>
  </Card>
)

const ConfirmRemoval = ({ count, days }: Removal) => {
  const period = days === 1 ? 'a day' : `${days} days`
  return (
    <Notice
      tone="bad"
      title={count > 0 ? `This removes ${removedText(count)} for good.` : `Results will be kept for only ${period}.`}
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

const currencies = ['EUR', 'USD', 'GBP', 'CHF', 'SEK', 'DKK', 'NOK', 'PLN', 'JPY', 'CNY', 'INR', 'AUD', 'CAD']

export const tenantFields = ['name', 'domain', 'description', 'settings.timezone', 'settings.currency']

const blank: FormState = { values: { 'settings.timezone': 'UTC', 'settings.currency': 'USD' } }

/** For merchants who work on these pages. The domain is generated, because only API requests need it. */
export const ShopForm = ({ form = blank }: { form?: FormState | undefined }) => (
  <PostForm action="/dashboard/tenant" form={form} button="Continue">
    <input type="hidden" name="purpose" value="here" />
    <Field name="name" label="Name of your shop" />
    <ZoneAndCurrency />
  </PostForm>
)

export const TenantForm = ({ form = blank }: { form?: FormState | undefined }) => (
  <PostForm action="/dashboard/tenant" form={form} button="Create the shop">
    <div class="pair">
      <Field name="name" label="Name" hint="Your shop or brand." />
      <Field
        name="domain"
        label="Domain"
        placeholder="shop.example.com"
        hint="Sent in the DOMAIN header of every request. It cannot be changed later."
        mono
      />
    </div>
    <TextArea name="description" label="Description" rows={2} optional />
    <ZoneAndCurrency />
  </PostForm>
)

const ZoneAndCurrency = () => (
  <>
    <div class="pair">
      <Field
        name="settings.timezone"
        label="Time zone"
        list="zones"
        hint="For times on these pages."
        data={useContext(CurrentForm).values['name'] === undefined ? { 'data-zone': '' } : {}}
      />
      <Field name="settings.currency" label="Currency" list="currencies" hint="Three letters, such as EUR." />
    </div>
    <datalist id="zones">
      {Intl.supportedValuesOf('timeZone').map((zone) => (
        <option value={zone} />
      ))}
    </datalist>
    <datalist id="currencies">
      {currencies.map((currency) => (
        <option value={currency} />
      ))}
    </datalist>
  </>
)

interface TenantPageProps extends TenantPageForms {
  readonly tenant: Tenant
  readonly studios: readonly Studio[]
  /** Its own period in days; null for the operator's. */
  readonly ownDays: number | null
  /** The operator's; 0 means unlimited. */
  readonly retentionDays: number
  readonly allowsOpinion: boolean
  readonly isOpinionUsed: boolean
}

export const TenantPage = ({ tenant, studios, ownDays, retentionDays, ...page }: TenantPageProps) => {
  const { name, timezone, currency } = tenant
  const settings = page.settings ?? {
    values: { name, 'settings.timezone': timezone, 'settings.currency': currency },
  }
  return (
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
      <Studios studios={studios} form={page.studio} photograph={page.photograph} />
      <Allowed to="POST /dashboard/tenant/delete">
        <Retention ownDays={ownDays} retentionDays={retentionDays} form={page.retention} removal={page.removal} />
        <Permission allowsOpinion={page.allowsOpinion} isUsed={page.isOpinionUsed} />
        <Card id="delete" title="Delete the shop" kind="danger">
          <p>
            Permanently removes its API keys, webhook, garments, pictures and deliveries. Your account stays, and the
            domain can be used again immediately.
          </p>
          <PostForm action="/dashboard/tenant/delete" form={page.deletion} button="Delete the shop" kind="bad">
            <Field name="confirmation" label="Type the domain to confirm" hint={tenant.domain} mono />
            <PasswordField label="Your password" />
          </PostForm>
        </Card>
      </Allowed>
    </>
  )
}
