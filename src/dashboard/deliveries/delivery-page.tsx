import { firstEndpoint } from '../../db/schema.ts'
import { eventOfKind } from '../../events/catalogue.ts'
import { kindOf, type DeliveryRow } from '../../webhook/delivery/conditions.ts'
import type { AttemptRow } from '../../webhook/delivery/list-attempts.ts'
import { deliveryError } from '../../webhook/delivery-error.ts'
import type { Clock } from '../clock.ts'
import { garmentPath, pathOfDelivery, endpointPath, deliveriesPath } from '../paths.ts'
import { DeliveryStatus } from '../garments/status-badge.tsx'
import { Allowed } from '../parts/allowed.tsx'
import { Summary } from '../parts/fields.tsx'
import { Resend } from '../parts/resend.tsx'
import { Breadcrumb, Facts, Heading, When } from '../parts/text.tsx'
import type { Problems } from '../problems.ts'
import { Timeline } from './timeline.tsx'

interface DeliveryPageProps {
  readonly delivery: DeliveryRow
  readonly attempts: readonly AttemptRow[]
  readonly nextCursor: string | null
  readonly isWebhookOn: boolean
  readonly maxAttempts: number
  /** Whether the newest attempts are shown. */
  readonly isFirst: boolean
  readonly problems?: Problems
  readonly clock: Clock
  readonly now: number
}

export const DeliveryPage = (props: DeliveryPageProps) => {
  const { delivery, clock, now } = props
  const isSoon = delivery.nextAttemptAt !== null && delivery.nextAttemptAt < now + 15_000
  return (
    <>
      <Breadcrumb name="Deliveries" path={deliveriesPath} />
      <Summary form={{ values: {}, problems: props.problems }} />
      <div id="live" {...(isSoon ? { 'data-live': '' } : {})} data-announce={`Delivery: ${delivery.status}`}>
        <Heading
          title={
            <>
              {eventOfKind(kindOf(delivery)).title} <span class="uuid">{delivery.garmentUuid}</span>
            </>
          }
        >
          <DeliveryStatus status={delivery.status} />
        </Heading>
        <section class="card">
          <Facts
            facts={[
              ['Garment', <Garment delivery={delivery} />],
              ...(delivery.endpoint === firstEndpoint
                ? []
                : [['Endpoint', <Endpoint id={delivery.endpoint} />] as const]),
              ['Attempts', `${delivery.attemptCount} (at most ${props.maxAttempts} automatic)`],
              ['Created', <When at={delivery.createdAt} clock={clock} />],
              ['X-Delivery-ID', <code>{delivery.id}</code>],
              ...(delivery.lastError === '' ? [] : [['Last error', deliveryError(delivery.lastError)] as const]),
            ]}
          />
          <Resend delivery={delivery} isWebhookOn={props.isWebhookOn} />
        </section>
        <Timeline {...props} />
        {props.nextCursor !== null && (
          <p>
            <a href={`${pathOfDelivery(delivery)}&cursor=${encodeURIComponent(props.nextCursor)}`}>Older attempts</a>
          </p>
        )}
        {!props.isFirst && (
          <p>
            <a href={pathOfDelivery(delivery)}>Latest attempts</a>
          </p>
        )}
      </div>
    </>
  )
}

const Endpoint = ({ id }: { id: string }) => (
  <Allowed to="GET /dashboard/webhook/endpoint" otherwise={id}>
    <a href={endpointPath(id)}>{id}</a>
  </Allowed>
)

/** One that was deleted has no page. */
const Garment = ({ delivery }: { delivery: DeliveryRow }) =>
  kindOf(delivery) === 'deletion' ? (
    <span class="uuid">{delivery.garmentUuid}</span>
  ) : (
    <a href={garmentPath(delivery.garmentUuid)}>{delivery.garmentUuid}</a>
  )
