import type { DeliveryRow } from '../../webhook/delivery/conditions.ts'
import type { AttemptRow } from '../../webhook/delivery/list-attempts.ts'
import { deliveryError } from '../../webhook/delivery-error.ts'
import type { Clock } from '../clock.ts'
import { deliveryPath, garmentPath } from '../paths.ts'
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
              {delivery.kind === 'correction' ? 'Delivery of the correction of ' : 'Delivery of '}
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
            <a
              href={`${deliveryPath(delivery.garmentUuid, delivery.kind)}&cursor=${encodeURIComponent(props.nextCursor)}`}
            >
              Older attempts
            </a>
          </p>
        )}
        {!props.isFirst && (
          <p>
            <a href={deliveryPath(delivery.garmentUuid, delivery.kind)}>Latest attempts</a>
          </p>
        )}
      </div>
    </>
  )
}

const Resend = ({ delivery, isWebhookOn }: DeliveryPageProps) =>
  isWebhookOn ? (
    <form method="post" action={deliveryPath(delivery.garmentUuid, delivery.kind)}>
      <input type="hidden" name="uuid" value={delivery.garmentUuid} />
      <input type="hidden" name="kind" value={delivery.kind} />
      <button class="plain">{delivery.status === 'pending' ? 'Attempt now' : 'Send again'}</button>
    </form>
  ) : (
    <p>
      The webhook is off. <a href="/dashboard/webhook">Switch it on</a> to send this again.
    </p>
  )
