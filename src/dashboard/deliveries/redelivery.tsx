import { formatCount } from '../../count.ts'
import type { FoundDeliveries } from '../../overview/find-deliveries.ts'
import type { RangeRedelivery } from '../../webhook/redelivery/find-range-redelivery.ts'
import type { Clock } from '../clock.ts'
import { Confirm } from '../parts/confirm.tsx'
import { When } from '../parts/text.tsx'
import { deliveriesPath } from '../paths.ts'
import type { DeliveryFilterValues } from './read-filter.ts'

interface RedeliveryFormProps {
  readonly values: DeliveryFilterValues
  readonly endpoints: FoundDeliveries['endpoints']
}

const statusNames: Readonly<Record<string, string>> = {
  delivered: 'accepted',
  permanently_failed: 'permanently failed',
}

/**
 * Redelivers everything that the filter shows, after confirmation. Hidden if the filter shows only pending deliveries,
 * or if all of its endpoints are off.
 */
export const RedeliveryForm = ({ values, endpoints }: RedeliveryFormProps) => {
  const { status, endpoint } = values
  const isOn = endpoints.some((row) => row.enabled && (endpoint === undefined || row.endpoint === endpoint))
  if (!isOn || status === 'pending') return null
  return (
    <section class="card" aria-labelledby="again">
      <h2 id="again">Send all of these again</h2>
      <p>
        After an outage of your system: every {statusNames[status ?? ''] ?? 'ended'} delivery that this filter shows is
        attempted once more, in the background, on all pages of the list. Your system recognises those that it has
        processed by their X-Delivery-ID.
      </p>
      <Confirm summary="Send all of these again" action={`${deliveriesPath}/redeliver`} fields={values}>
        <button>Send them now</button>
      </Confirm>
    </section>
  )
}

/** The progress of the redelivery of a time range. */
export const RedeliveryProgress = ({ redelivery, clock }: { redelivery: RangeRedelivery; clock: Clock }) => {
  const { fromAt, positionAt, until, redelivered } = redelivery
  return (
    <section class="card" aria-labelledby="progress">
      <h2 id="progress">Sending again</h2>
      <progress max={Math.max(until - fromAt, 1)} value={positionAt - fromAt} aria-label="Progress of the redelivery" />
      <p>
        {formatCount(redelivered)} so far, up to those of <When at={positionAt} clock={clock} />, of those until{' '}
        <When at={until} clock={clock} />. Each minute takes up to 1,000; you can close the page.
      </p>
    </section>
  )
}
