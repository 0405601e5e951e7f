import { firstEndpoint } from '../../db/schema.ts'
import { kindOf, type DeliveryRow } from '../../webhook/delivery/conditions.ts'
import type { DeliveryFilter } from '../../webhook/delivery/list-deliveries.ts'
import { deliveryError } from '../../webhook/delivery-error.ts'
import { fromNow, type Clock } from '../clock.ts'
import { pathOfDelivery } from '../paths.ts'
import { DeliveryStatus } from '../garments/status-badge.tsx'
import { Columns, Filter, Pager } from '../parts/list.tsx'
import { Empty, Heading, When } from '../parts/text.tsx'

const path = '/dashboard/deliveries'

const options = [
  [undefined, 'All'],
  ['pending', 'Pending'],
  ['delivered', 'Delivered'],
  ['permanently_failed', 'Permanently failed'],
] as const

interface DeliveriesPageProps {
  readonly deliveries: readonly DeliveryRow[]
  readonly clock: Clock
  readonly now: number
  readonly filter: DeliveryFilter
  readonly nextCursor: string | null
}

export const DeliveriesPage = ({ deliveries, clock, now, filter, nextCursor }: DeliveriesPageProps) => (
  <>
    <Heading
      title="Deliveries"
      lead={
        <>
          Results sent to your system, and whether it accepted them.{' '}
          <a href="/docs/guides/errors#webhooks-that-do-not-arrive">If they do not arrive</a>
        </>
      }
    >
      <a class="button plain" href="/dashboard/webhook">
        Webhook
      </a>
    </Heading>
    <div class="bar">
      <Filter path={path} label="Status" options={options} current={filter.status} />
    </div>
    <section
      class="card flush"
      id="live"
      aria-label="Deliveries"
      {...(deliveries.some(({ nextAttemptAt }) => nextAttemptAt !== null && nextAttemptAt < now + 15_000)
        ? { 'data-live': '' }
        : {})}
    >
      {deliveries.length === 0 ? (
        <NoDelivery isFiltered={filter.status !== undefined || filter.cursor !== undefined} />
      ) : (
        <table class="stack">
          <Columns names={['Garment', 'Status', 'Attempts', 'Last attempt', 'Next attempt']} />
          <tbody>
            {deliveries.map((delivery) => (
              <Row delivery={delivery} clock={clock} now={now} />
            ))}
          </tbody>
        </table>
      )}
    </section>
    <Pager
      path={path}
      query={{ status: filter.status }}
      isFirst={filter.cursor === undefined}
      next={nextCursor}
      nextName="Older deliveries"
    />
  </>
)

const Row = ({ delivery, clock, now }: { delivery: DeliveryRow; clock: Clock; now: number }) => (
  <tr>
    <th scope="row">
      <a class="uuid" href={pathOfDelivery(delivery)}>
        {delivery.garmentUuid}
      </a>
      {kindOf(delivery) === 'correction' && <span class="hint"> correction</span>}
      {delivery.endpoint !== firstEndpoint && <span class="hint"> to {delivery.endpoint}</span>}
    </th>
    <td data-label="Status">
      <DeliveryStatus status={delivery.status} />
    </td>
    <td data-label="Attempts">{delivery.attemptCount}</td>
    <td data-label="Last attempt">
      {delivery.lastAttemptAt === null ? '–' : <When at={delivery.lastAttemptAt} clock={clock} />}
      {delivery.lastError !== '' && <span class="reason">{deliveryError(delivery.lastError)}</span>}
    </td>
    <td data-label="Next attempt">{delivery.nextAttemptAt === null ? '–' : fromNow(delivery.nextAttemptAt, now)}</td>
  </tr>
)

const NoDelivery = ({ isFiltered }: { isFiltered: boolean }) =>
  isFiltered ? (
    <Empty title="No matching deliveries">
      <p>
        <a href={path}>Show all deliveries</a>
      </p>
    </Empty>
  ) : (
    <Empty title="No deliveries yet">
      <p>A delivery appears here for each garment tagged while the webhook is on.</p>
      <p>
        <a class="button" href="/dashboard/webhook">
          Set up the webhook
        </a>
      </p>
    </Empty>
  )
