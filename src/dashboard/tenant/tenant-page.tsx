import type { Studio } from '../../studio/fields.ts'
import type { Clock } from '../clock.ts'
import { Allowed } from '../parts/allowed.tsx'
import { Field, Summary, type FormState } from '../parts/fields.tsx'
import { Facts, Heading, Notice, When } from '../parts/text.tsx'
import type { Tenant } from '../viewer.ts'
import { Permission } from './permission.tsx'
import { Retention } from './retention.tsx'
import { Studios } from './studios.tsx'
import { ShopForm, TenantForm } from './tenant-form.tsx'
import type { TenantPageForms } from './tenant-routes.tsx'

/** `isShop` if it was created for work on these pages. */
export const NewTenantPage = ({ form, isShop = false }: { form: FormState; isShop?: boolean }) => (
  <div class="narrow">
    <Heading
      title="Create a tenant"
      lead="A tenant holds your garments, API keys and webhook under one domain, separate from all others."
    />
    <div class="card">{isShop ? <ShopForm form={form} /> : <TenantForm form={form} />}</div>
  </div>
)

const done = new Map([
  ['studio-saved', 'The studio was saved. It applies to garments uploaded from now on.'],
  ['studio-removed', 'The studio was removed.'],
  ['retention-saved', 'The period was saved.'],
  ['choice-saved', 'Your choice was saved. It applies to garments that are tagged from now on.'],
])

interface TenantPageProps extends TenantPageForms {
  readonly tenant: Tenant
  readonly clock: Clock
  readonly studios: readonly Studio[]
  /** Its own period in days; null for the operator's. */
  readonly ownDays: number | null
  /** The operator's; 0 means unlimited. */
  readonly retentionDays: number
  readonly allowsOpinion: boolean
  readonly isOpinionUsed: boolean
  readonly done?: string | undefined
}

const blank: FormState = { values: {} }

export const TenantPage = ({ tenant, clock, studios, ownDays, retentionDays, ...page }: TenantPageProps) => {
  const notice = done.get(page.done ?? '')
  return (
    <>
      <Heading title={tenant.name} lead={tenant.description === '' ? undefined : tenant.description} />
      {notice !== undefined && <Notice tone="good" title={notice} />}
      <section class="card">
        <Facts
          facts={[
            ['Domain', <code>{tenant.domain}</code>],
            ['Time zone', tenant.timezone.replaceAll('_', ' ')],
            ['Currency', tenant.currency],
            ['Created', <When at={tenant.createdAt} clock={clock} />],
            ['Tenant id', <code>{tenant.id}</code>],
          ]}
        />
      </section>
      <Studios studios={studios} form={page.studio ?? blank} photograph={page.photograph ?? blank} />
      <Allowed to="POST /dashboard/tenant/delete">
        <Retention ownDays={ownDays} retentionDays={retentionDays} form={page.retention} removal={page.removal} />
        <Permission allowsOpinion={page.allowsOpinion} isUsed={page.isOpinionUsed} />
        <section class="card danger" aria-labelledby="delete">
          <h2 id="delete">Delete the tenant</h2>
          <p>
            Permanently removes its API keys, webhook, garments, pictures and deliveries. Your account stays, and the
            domain can be used again immediately.
          </p>
          <form method="post" action="/dashboard/tenant/delete" novalidate>
            <Summary form={page.deletion ?? blank} />
            <Field
              form={page.deletion ?? blank}
              name="confirmation"
              label="Type the domain to confirm"
              hint={tenant.domain}
              mono
            />
            <Field
              form={page.deletion ?? blank}
              name="password"
              type="password"
              label="Your password"
              autocomplete="current-password"
            />
            <button class="bad">Delete the tenant</button>
          </form>
        </section>
      </Allowed>
    </>
  )
}
