import { type DeliveryRow, kindOf } from '../../events/delivery.ts'
import type { AttemptRow } from '../../webhooks/deliveries/list-deliveries.ts'
import { deliveryError } from '../../events/delivery-error.ts'
import { duration, fromNow } from '../clock.ts'
import {
  Badge,
  Breadcrumb,
  Card,
  DeliveryStatus,
  Empty,
  Facts,
  Heading,
  ResponseBody,
  useClock,
  When,
} from '../parts/text.tsx'
import { firstEndpoint } from '../../platform/db/schema.ts'
import { eventOfKind, events, isOfUuidOnly } from '../../events/catalogue.ts'
import { deliveriesPath, endpointPath, garmentPath, pathOfDelivery } from '../paths.ts'
import { Allowed, Resend } from '../parts/actions.tsx'
import { Summary } from '../parts/fields.tsx'
import type { Problems } from '../form.ts'

interface TimelineProps {
  readonly delivery: DeliveryRow
  readonly attempts: readonly AttemptRow[]
  readonly isFirst: boolean
  readonly now: number
}

/** Newest first, with the next scheduled attempt above. */
const Timeline = ({ delivery, attempts, isFirst, now }: TimelineProps) => (
  <Card id="attempts" title="Attempts">
    {attempts.length === 0 && delivery.nextAttemptAt === null && (
      <Empty title="No attempts yet">
        <p>Attempts appear here with your system's responses.</p>
      </Empty>
    )}
    <ol class="timeline">
      {isFirst && delivery.nextAttemptAt !== null && (
        <li class="busy">
          <p class="title">
            Next attempt {fromNow(delivery.nextAttemptAt, now)}{' '}
            <span class="hint">
              <When at={delivery.nextAttemptAt} />
            </span>
          </p>
        </li>
      )}
      {attempts.map((attempt) => (
        <Attempt attempt={attempt} />
      ))}
    </ol>
  </Card>
)

const Attempt = ({ attempt }: { attempt: AttemptRow }) => {
  const isAccepted = attempt.error === ''
  return (
    <li class={isAccepted ? 'good' : 'bad'}>
      <p class="title">
        <Badge tone={isAccepted ? 'good' : 'bad'}>
          {attempt.responseStatus === 0 ? 'No response' : `HTTP ${attempt.responseStatus}`}
        </Badge>{' '}
        <When at={attempt.at} />
      </p>
      <p class="hint">
        {isAccepted ? 'Accepted' : deliveryError(attempt.error)} · after {duration(attempt.durationMs)}
        {attempt.trigger === 'manual' && ' · manual'}
      </p>
      <ResponseBody body={attempt.responseBody} label={`Response at ${useClock().text(attempt.at)}`} />
    </li>
  )
}

interface DeliveryPageProps {
  readonly delivery: DeliveryRow
  readonly attempts: readonly AttemptRow[]
  readonly nextCursor: string | null
  readonly isWebhookOn: boolean
  readonly maxAttempts: number
  /** Whether the newest attempts are shown. */
  readonly isFirst: boolean
  readonly problems?: Problems | undefined
  readonly now: number
}

export const DeliveryPage = (props: DeliveryPageProps) => {
  const { delivery, now } = props
  const isSoon = delivery.nextAttemptAt !== null && delivery.nextAttemptAt < now + 15_000
  return (
    <>
      <Breadcrumb name="Deliveries" path={deliveriesPath} />
      <Summary problems={props.problems} />
      <div id="live" data-live={isSoon ? '' : undefined} data-announce={`Delivery: ${delivery.status}`}>
        <Heading
          title={
            <>
              {events[eventOfKind(kindOf(delivery))].title} <span class="uuid">{delivery.garmentUuid}</span>
            </>
          }
        >
          <DeliveryStatus status={delivery.status} />
        </Heading>
        <section class="card">
          <Facts
            facts={[
              ['Garment', <Garment delivery={delivery} />],
              ['Endpoint', delivery.endpoint === firstEndpoint ? null : <Endpoint id={delivery.endpoint} />],
              ['Attempts', `${delivery.attemptCount} (at most ${props.maxAttempts} automatic)`],
              ['Created', <When at={delivery.createdAt} />],
              ['X-Delivery-ID', <code>{delivery.id}</code>],
              ['Last error', delivery.lastError && deliveryError(delivery.lastError)],
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
  isOfUuidOnly(eventOfKind(kindOf(delivery))) || delivery.body !== null ? (
    <span class="uuid">{delivery.garmentUuid}</span>
  ) : (
    <a href={garmentPath(delivery.garmentUuid)}>{delivery.garmentUuid}</a>
  )
