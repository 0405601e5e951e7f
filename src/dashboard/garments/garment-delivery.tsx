import type { GarmentRow } from '../../garment/to-garment-response.ts'
import type { DeliveryRow } from '../../webhook/delivery/conditions.ts'
import { deliveryError } from '../../webhook/delivery-error.ts'
import { fromNow, type Clock } from '../clock.ts'
import { Empty, Facts, When } from '../parts/text.tsx'
import { deliveryPath } from '../paths.ts'
import { DeliveryStatus, isActive } from './status-badge.tsx'

interface GarmentDeliveryProps {
  readonly delivery: DeliveryRow | null
  readonly status: GarmentRow['status']
  readonly clock: Clock
  readonly now: number
}

/** The state of the garment's webhook delivery. */
export const GarmentDelivery = ({ delivery, status, clock, now }: GarmentDeliveryProps) => (
  <section class="card" aria-labelledby="delivery">
    <h2 id="delivery">Webhook delivery</h2>
    {delivery === null ? (
      <NoDelivery status={status} />
    ) : (
      <>
        <Facts
          facts={[
            ['Status', <DeliveryStatus status={delivery.status} />],
            ['Attempts', String(delivery.attemptCount)],
            ...(delivery.lastAttemptAt === null
              ? []
              : [['Last attempt', <When at={delivery.lastAttemptAt} clock={clock} />] as const]),
            ...(delivery.nextAttemptAt === null
              ? []
              : [['Next attempt', fromNow(delivery.nextAttemptAt, now)] as const]),
            ...(delivery.lastError === '' ? [] : [['Last error', deliveryError(delivery.lastError)] as const]),
          ]}
        />
        <p>
          <a href={deliveryPath(delivery.garmentUuid)}>Attempts and resend</a>
        </p>
      </>
    )}
  </section>
)

const NoDelivery = ({ status }: { status: GarmentRow['status'] }) =>
  isActive(status) ? (
    <Empty title="No delivery yet">
      <p>If the webhook is on, the result is delivered as soon as tagging ends.</p>
    </Empty>
  ) : (
    <Empty title="No delivery">
      <p>
        The webhook was off when tagging ended. <a href="/dashboard/webhook">Set it up</a> to receive results.
      </p>
    </Empty>
  )
