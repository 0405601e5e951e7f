import { Field, Summary, type FormState } from '../parts/fields.tsx'
import type { Tenant } from '../viewer.ts'

interface RetentionProps {
  readonly tenant: Tenant
  /** The operator's period in days, 0 for ever. */
  readonly retentionDays: number
  readonly form: FormState | undefined
}

/** After how long the tenant's results are removed. */
export const Retention = ({ tenant, retentionDays, form }: RetentionProps) => (
  <section class="card" aria-labelledby="retention">
    <h2 id="retention">Retention</h2>
    <p class="lead">
      Results, pictures and deliveries are removed{' '}
      {retentionDays === 0
        ? 'never, unless you choose a period'
        : `after ${retentionDays} days, or after a shorter period`}
      . What is older than the period is removed for good, beginning within a minute.
    </p>
    <form method="post" action="/dashboard/tenant/retention" novalidate>
      <Summary form={form ?? { values: {} }} />
      <Field
        form={form ?? { values: { retention_days: String(tenant.retentionDays ?? '') } }}
        name="retention_days"
        type="number"
        label="Days to keep"
        hint={retentionDays === 0 ? 'Empty keeps everything.' : `1 to ${retentionDays}; empty is ${retentionDays}.`}
        optional
      />
      <button class="plain">Save period</button>
    </form>
  </section>
)
