import type { GarmentRow } from '../../garment/to-garment-response.ts'
import type { DeliveryTo } from '../../overview/find-garment-with-deliveries.ts'
import { deliveryError } from '../../webhook/delivery-error.ts'
import { fromNow, type Clock } from '../clock.ts'
import { Allowed } from '../parts/allowed.tsx'
import { Resend } from '../parts/resend.tsx'
import { Empty, Facts, When } from '../parts/text.tsx'
import { pathOfDelivery, webhookPath } from '../paths.ts'
import { endpointName } from '../webhook/endpoint-name.ts'
import { DeliveryStatus, isActive } from './status-badge.tsx'

interface GarmentDeliveriesProps {
  readonly deliveries: readonly DeliveryTo[]
  readonly status: GarmentRow['status']
  readonly clock: Clock
  readonly now: number
}

/** The webhook delivery of the garment to each endpoint. */
export const GarmentDeliveries = ({ deliveries, status, ...time }: GarmentDeliveriesProps) => (
  <section class="card" aria-labelledby="delivery">
    <h2 id="delivery">{deliveries.length > 1 ? 'Webhook deliveries' : 'Webhook delivery'}</h2>
    {deliveries.length === 0 && <NoDelivery status={status} />}
    {deliveries.map((each) => (
      <>
        {deliveries.length > 1 && <h3>{nameOf(each)}</h3>}
        <Delivery {...each} {...time} />
      </>
    ))}
  </section>
)

const nameOf = ({ description, url }: DeliveryTo) =>
  url === null || url === '' ? 'A deleted endpoint' : endpointName({ description: description ?? '', url })

const Delivery = ({ delivery, isEnabled, clock, now }: DeliveryTo & { clock: Clock; now: number }) => (
  <>
    <Facts
      facts={[
        ['Status', <DeliveryStatus status={delivery.status} />],
        ['Attempts', String(delivery.attemptCount)],
        ...(delivery.lastAttemptAt === null
          ? []
          : [['Last attempt', <When at={delivery.lastAttemptAt} clock={clock} />] as const]),
        ...(delivery.nextAttemptAt === null ? [] : [['Next attempt', fromNow(delivery.nextAttemptAt, now)] as const]),
        ...(delivery.lastError === '' ? [] : [['Last error', deliveryError(delivery.lastError)] as const]),
      ]}
    />
    <Allowed to="POST /dashboard/delivery">
      <p>
        <a href={pathOfDelivery(delivery)}>Attempts and resend</a>
      </p>
      <Resend delivery={delivery} isWebhookOn={isEnabled === 1} />
    </Allowed>
  </>
)

const NoDelivery = ({ status }: { status: GarmentRow['status'] }) =>
  isActive(status) ? (
    <Empty title="No delivery yet">
      <p>If the webhook is on, the result is delivered as soon as tagging ends.</p>
    </Empty>
  ) : (
    <Empty title="No delivery">
      <p>
        The webhook was off when tagging ended.{' '}
        <Allowed to="GET /dashboard/webhook" otherwise="Ask an owner to set it up.">
          <a href={webhookPath}>Set it up</a> to receive results.
        </Allowed>
      </p>
    </Empty>
  )
