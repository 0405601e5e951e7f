import type { FoundDeliveries } from '../../overview/find-deliveries.ts'
import type { ConfigRow } from '../../webhook/config/config-row.ts'
import { kindOf, type DeliveryRow } from '../../webhook/delivery/conditions.ts'
import { deliveryError } from '../../webhook/delivery-error.ts'
import { fromNow, type Clock } from '../clock.ts'
import { DeliveryStatus } from '../garments/status-badge.tsx'
import { Allowed } from '../parts/allowed.tsx'
import { Summary } from '../parts/fields.tsx'
import { Columns, Filter, Pager } from '../parts/list.tsx'
import { Empty, Heading, Notice, When } from '../parts/text.tsx'
import { pathOfDelivery, deliveriesPath, webhookPath } from '../paths.ts'
import type { Problems } from '../problems.ts'
import { endpointName } from '../webhook/endpoint-name.ts'
import { FilterForm } from './filter-form.tsx'
import type { DeliveryFilterValues } from './read-filter.ts'
import { RedeliveryForm, RedeliveryProgress } from './redelivery.tsx'

const options = [
  [undefined, 'All'],
  ['pending', 'Pending'],
  ['delivered', 'Delivered'],
  ['permanently_failed', 'Permanently failed'],
] as const

interface DeliveriesPageProps {
  readonly found: FoundDeliveries
  readonly values: DeliveryFilterValues
  /** Whether this is the first page. */
  readonly isFirst: boolean
  /** Whether a redelivery was just accepted. */
  readonly isAccepted: boolean
  readonly problems?: Problems | undefined
  readonly clock: Clock
  readonly now: number
}

export const DeliveriesPage = (props: DeliveriesPageProps) => {
  const { found, values, isFirst, clock, now } = props
  const { deliveries, nextCursor, endpoints, redelivery } = found
  const isSoon = deliveries.some(({ nextAttemptAt }) => nextAttemptAt !== null && nextAttemptAt < now + 15_000)
  const { status, ...others } = values
  return (
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
        <Allowed to="GET /dashboard/webhook">
          <a class="button plain" href={webhookPath}>
            Webhook
          </a>
        </Allowed>
      </Heading>
      <Summary form={{ values: {}, problems: props.problems }} />
      {props.isAccepted && (
        <Notice tone="good" title="Accepted: they are sent again within minutes, the oldest first." />
      )}
      <div class="bar">
        <Filter path={deliveriesPath} label="Status" options={options} current={status} query={others} />
        <FilterForm values={values} endpoints={endpoints} />
      </div>
      <div id="live" {...(isSoon || redelivery !== undefined ? { 'data-live': '' } : {})}>
        {redelivery !== undefined && <RedeliveryProgress redelivery={redelivery} clock={clock} />}
        <section class="card flush" aria-label="Deliveries">
          {deliveries.length === 0 ? (
            <NoDelivery isFiltered={Object.keys(values).length > 0 || !isFirst} hasMore={nextCursor !== null} />
          ) : (
            <table class="stack">
              <Columns names={['Garment', 'Status', 'Attempts', 'Last attempt', 'Next attempt']} />
              <tbody>
                {deliveries.map((delivery) => (
                  <Row
                    delivery={delivery}
                    endpoint={endpoints.find(({ endpoint }) => endpoint === delivery.endpoint)}
                    hasOthers={endpoints.length > 1}
                    clock={clock}
                    now={now}
                  />
                ))}
              </tbody>
            </table>
          )}
        </section>
      </div>
      <Pager path={deliveriesPath} query={values} isFirst={isFirst} next={nextCursor} nextName="Older deliveries" />
      {redelivery === undefined && (deliveries.length > 0 || nextCursor !== null) && (
        <RedeliveryForm values={values} endpoints={endpoints} />
      )}
    </>
  )
}

interface RowProps {
  readonly delivery: DeliveryRow
  /** Undefined if the endpoint was deleted. */
  readonly endpoint: ConfigRow | undefined
  readonly hasOthers: boolean
  readonly clock: Clock
  readonly now: number
}

const Row = ({ delivery, endpoint, hasOthers, clock, now }: RowProps) => (
  <tr>
    <th scope="row">
      <a class="uuid" href={pathOfDelivery(delivery)}>
        {delivery.garmentUuid}
      </a>
      {kindOf(delivery) !== 'tagging' && <span class="hint"> {kindOf(delivery)}</span>}
      {(hasOthers || endpoint === undefined) && (
        <span class="hint break"> to {endpoint === undefined ? 'a deleted endpoint' : endpointName(endpoint)}</span>
      )}
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

const NoDelivery = ({ isFiltered, hasMore }: { isFiltered: boolean; hasMore: boolean }) =>
  isFiltered ? (
    <Empty title={hasMore ? 'No matching deliveries among the latest' : 'No matching deliveries'}>
      <p>
        <a href={deliveriesPath}>Show all deliveries</a>
      </p>
    </Empty>
  ) : (
    <Empty title="No deliveries yet">
      <p>A delivery appears here for each garment tagged while the webhook is on.</p>
      <Allowed to="GET /dashboard/webhook" otherwise={<p>Ask an owner to set up the webhook.</p>}>
        <p>
          <a class="button" href={webhookPath}>
            Set up the webhook
          </a>
        </p>
      </Allowed>
    </Empty>
  )
