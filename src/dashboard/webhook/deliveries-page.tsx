import { type Database, runBatch } from '../../platform/db/database.ts'
import { type ConfigRow, listConfigRows } from '../../webhooks/endpoints/endpoint.ts'
import { cutDeliveries, type DeliveryFilter, deliveryQueries } from '../../webhooks/deliveries/list-deliveries.ts'
import { type RangeRedelivery, rangeRedeliveryQuery } from '../../webhooks/deliveries/redeliver.ts'
import { deliveryStatuses } from '../../platform/db/schema.ts'
import type { FormValues, Problems } from '../form.ts'
import { Choice, Field, Form, Summary } from '../parts/fields.tsx'
import { endpointName } from './endpoints-page.tsx'
import { deliveriesPath, pathOfDelivery, webhookPath } from '../paths.ts'
import { formatCount } from '../../platform/format-count.ts'
import { type Clock, fromNow } from '../clock.ts'
import { Allowed, Confirm } from '../parts/actions.tsx'
import { Card, DeliveryStatus, Empty, Heading, When } from '../parts/text.tsx'
import { type DeliveryRow, kindOf } from '../../events/delivery.ts'
import { deliveryError } from '../../events/delivery-error.ts'
import { Table, Filter, Pager, withQuery } from '../parts/list.tsx'

/** A page of a tenant's deliveries, its endpoints and the redelivery that is under way, in one round trip. */
export async function findDeliveries(db: Database, tenantId: string, filter: DeliveryFilter) {
  const {
    rows,
    ends,
    endpoints,
    redelivery: [redelivery],
  } = await runBatch(db, {
    ...deliveryQueries(db, tenantId, filter),
    endpoints: listConfigRows(db, tenantId),
    redelivery: rangeRedeliveryQuery(db, tenantId),
  })
  return { ...cutDeliveries(rows, ends, filter.limit), endpoints, redelivery }
}

type FoundDeliveries = Awaited<ReturnType<typeof findDeliveries>>

/** The fields of the filter, which are the parameters of the page's address. */
const filterFields = ['status', 'endpoint', 'from', 'to'] as const

export type DeliveryFilterValues = Readonly<Partial<Record<(typeof filterFields)[number], string>>>

/** The fields that were filled in, as they are kept in links. */
export function deliveryFilterValues(query: FormValues): DeliveryFilterValues {
  const filled = filterFields.map((name) => [name, query[name]?.trim().slice(0, 64)] as const)
  return Object.fromEntries(filled.filter(([, value]) => value !== undefined && value !== ''))
}

/** A time in the tenant's zone as browsers send it: `2026-11-21T12:00`. */
const time = ({ startOf }: Clock, text = '') =>
  /^[12]\d{3}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(text) && !Number.isNaN(Date.parse(`${text}Z`))
    ? startOf(`${text}Z`)
    : undefined

/** Ignores values that no form sends, such as an unknown status. */
export const readDeliveryFilter = (
  { status, endpoint, from, to }: DeliveryFilterValues,
  clock: Clock,
): Omit<DeliveryFilter, 'limit'> => ({
  status: deliveryStatuses.find((each) => each === status),
  endpoint,
  fromMs: time(clock, from),
  untilMs: time(clock, to),
})

interface FilterProps {
  readonly values: DeliveryFilterValues
  readonly endpoints: FoundDeliveries['endpoints']
}

/** Filters by endpoint and time. Open if one of these filters is set. */
const FilterForm = ({ values, endpoints }: FilterProps) => {
  const { status, endpoint, ...times } = values
  const names = {
    ...(endpoint !== undefined && { [endpoint]: `Deleted (${endpoint})` }),
    ...Object.fromEntries(endpoints.map((row) => [row.endpoint, endpointName(row)])),
  }
  return (
    <Form role="search" method="get" action={deliveriesPath} fields={{ status }} form={{ values }}>
      <details open={endpoint !== undefined || Object.keys(times).length > 0}>
        <summary>More filters</summary>
        <Choice name="endpoint" label="Endpoint" empty="All" values={Object.keys(names)} names={names} optional />
        <div class="pair">
          <Field name="from" type="datetime-local" label="Created from" optional />
          <Field name="to" type="datetime-local" label="Created before" optional />
        </div>
        <button class="plain">Filter</button>
      </details>
    </Form>
  )
}

const statusNames: Readonly<Record<string, string>> = {
  delivered: 'accepted',
  permanently_failed: 'permanently failed',
}

/**
 * Redelivers everything that the filter shows, after confirmation. Hidden if the filter shows only pending deliveries,
 * or if all of its endpoints are off.
 */
const RedeliveryForm = ({ values, endpoints }: FilterProps) => {
  const { status, endpoint } = values
  const isOn = endpoints.some((row) => row.enabled && (endpoint === undefined || row.endpoint === endpoint))
  if (!isOn || status === 'pending') return null
  return (
    <Card id="again" title="Send all of these again">
      <p>
        After an outage of your system: every {statusNames[status ?? ''] ?? 'ended'} delivery that this filter shows is
        attempted once more, in the background, on all pages of the list. Your system recognises those that it has
        processed by their X-Delivery-ID.
      </p>
      <Confirm summary="Send all of these again" action={`${deliveriesPath}/redeliver`} fields={values}>
        <button>Send them now</button>
      </Confirm>
    </Card>
  )
}

/** The progress of the redelivery of a time range. */
const RedeliveryProgress = ({ redelivery }: { redelivery: RangeRedelivery }) => {
  const { fromAt, positionAt, until, redelivered } = redelivery
  return (
    <Card id="progress" title="Sending again">
      <progress max={Math.max(until - fromAt, 1)} value={positionAt - fromAt} aria-label="Progress of the redelivery" />
      <p>
        {formatCount(redelivered)} so far, up to those of <When at={positionAt} />, of those until <When at={until} />.
        Each minute takes up to 1,000; you can close the page.
      </p>
    </Card>
  )
}

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
  readonly problems?: Problems | undefined
  readonly now: number
}

export const DeliveriesPage = (props: DeliveriesPageProps) => {
  const { found, values, isFirst, now } = props
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
      <Summary problems={props.problems} />
      <div class="bar">
        <Filter
          label="Status"
          options={options}
          current={status}
          href={(value) => withQuery(deliveriesPath, { ...others, status: value })}
        />
        <FilterForm values={values} endpoints={endpoints} />
      </div>
      <div id="live" data-live={isSoon || redelivery !== undefined ? '' : undefined}>
        {redelivery !== undefined && <RedeliveryProgress redelivery={redelivery} />}
        <section class="card flush" aria-label="Deliveries">
          {deliveries.length === 0 ? (
            <NoDelivery isFiltered={Object.keys(values).length > 0 || !isFirst} hasMore={nextCursor !== null} />
          ) : (
            <Table names={['Garment', 'Status', 'Attempts', 'Last attempt', 'Next attempt']}>
              {deliveries.map((delivery) => (
                <Row
                  delivery={delivery}
                  endpoint={endpoints.find(({ endpoint }) => endpoint === delivery.endpoint)}
                  hasOthers={endpoints.length > 1}

                  now={now}
                />
              ))}
            </Table>
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
  readonly now: number
}

const Row = ({ delivery, endpoint, hasOthers, now }: RowProps) => (
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
      {delivery.lastAttemptAt === null ? '–' : <When at={delivery.lastAttemptAt} />}
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
      <p>
        <Allowed to="GET /dashboard/webhook" otherwise="An owner can set up the webhook.">
          <a class="button" href={webhookPath}>
            Set up the webhook
          </a>
        </Allowed>
      </p>
    </Empty>
  )
