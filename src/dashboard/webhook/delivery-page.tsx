import { firstEndpoint } from '../../db/schema.ts'
import { kindOf, type DeliveryRow } from '../../webhook/delivery/conditions.ts'
import type { AttemptRow } from '../../webhook/delivery/list-attempts.ts'
import { deliveryError } from '../../webhook/delivery-error.ts'
import type { Clock } from '../clock.ts'
import { garmentPath, pathOfDelivery } from '../paths.ts'
import { DeliveryStatus } from '../garments/status-badge.tsx'
import { Summary } from '../parts/fields.tsx'
import { Facts, Heading, When } from '../parts/text.tsx'
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
      <p class="crumb">
        <a href="/dashboard/deliveries">Deliveries</a>
      </p>
      <Summary form={{ values: {}, problems: props.problems }} />
      <div id="live" {...(isSoon ? { 'data-live': '' } : {})} data-announce={`Delivery: ${delivery.status}`}>
        <Heading
          title={
            <>
              {kindOf(delivery) === 'correction' ? 'Delivery of the correction of ' : 'Delivery of '}
              <span class="uuid">{delivery.garmentUuid}</span>
            </>
          }
        >
          <DeliveryStatus status={delivery.status} />
        </Heading>
        <section class="card">
          <Facts
            facts={[
              ['Garment', <a href={garmentPath(delivery.garmentUuid)}>{delivery.garmentUuid}</a>],
              ...(delivery.endpoint === firstEndpoint ? [] : [['Endpoint', <code>{delivery.endpoint}</code>] as const]),
              ['Attempts', `${delivery.attemptCount} (at most ${props.maxAttempts} automatic)`],
              ['Created', <When at={delivery.createdAt} clock={clock} />],
              ['X-Delivery-ID', <code>{delivery.id}</code>],
              ...(delivery.lastError === '' ? [] : [['Last error', deliveryError(delivery.lastError)] as const]),
            ]}
          />
          <Resend {...props} />
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

const Resend = ({ delivery, isWebhookOn }: DeliveryPageProps) =>
  isWebhookOn ? (
    <form method="post" action={pathOfDelivery(delivery)}>
      <input type="hidden" name="uuid" value={delivery.garmentUuid} />
      <input type="hidden" name="kind" value={kindOf(delivery)} />
      <input type="hidden" name="endpoint" value={delivery.endpoint} />
      <button class="plain">{delivery.status === 'pending' ? 'Attempt now' : 'Send again'}</button>
    </form>
  ) : (
    <p>
      The webhook is off. <a href="/dashboard/webhook">Switch it on</a> to send this again.
    </p>
  )
