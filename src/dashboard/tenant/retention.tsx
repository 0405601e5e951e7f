import { Field, Summary, type FormState } from '../parts/fields.tsx'
import { Notice } from '../parts/text.tsx'

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
export const Retention = ({ ownDays, retentionDays, form, removal }: RetentionProps) => (
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
        form={form ?? { values: { retention_days: String(ownDays ?? '') } }}
        name="retention_days"
        type="number"
        label="Days to keep"
        hint={retentionDays === 0 ? 'Empty keeps everything.' : `1 to ${retentionDays}; empty is ${retentionDays}.`}
        optional
      />
      <button class="plain">Save period</button>
      {/* Enter activates the first button of a form, which must not remove anything. */}
      {removal !== undefined && <ConfirmRemoval {...removal} />}
    </form>
  </section>
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
