import { type Database, runBatch } from '../../platform/db/database.ts'
import { listEndpointRows } from '../../webhooks/endpoints/endpoint.ts'
import {
  cutDeliveries,
  type DeliveryFilter,
  deliveryQueries,
  type AttemptRow,
  findDeliveryHistory,
} from '../../webhooks/deliveries/list-deliveries.ts'
import {
  type RangeRedelivery,
  rangeRedeliveryQuery,
  redeliver,
  redeliverRange,
} from '../../webhooks/deliveries/redeliver.ts'
import { configEndpointId, deliveryKinds, deliveryStatuses } from '../../platform/db/schema.ts'
import { type FormValues, type Problems, formBody, readForm, submitForm } from '../form.ts'
import { Choice, Field, Form, Summary } from '../parts/form-fields.tsx'
import { endpointName } from './endpoints-page.tsx'
import { deliveriesPath, pathOfDelivery, webhookPath, endpointPath, garmentPath, deliveryPath } from '../paths.ts'
import { formatCount } from '../../platform/format-count.ts'
import { type Clock, fromNow, duration } from '../clock.ts'
import { Allowed, Confirm, Resend } from '../parts/actions.tsx'
import {
  ButtonLink,
  PlainLink,
  Card,
  DeliveryStatus,
  Empty,
  Heading,
  When,
  Badge,
  Breadcrumb,
  Facts,
  ResponseBody,
  useClock,
} from '../parts/elements.tsx'
import type { DeliveryRow, EndpointRow } from '../../events/delivery.ts'
import { deliveryError } from '../../events/delivery-error.ts'
import { Table, Filter, Pager, withQuery, oneOf } from '../parts/list-parts.tsx'
import { eventOfKind, events, isOfUuidOnly, type DeliveryKind } from '../../events/catalogue.ts'
import { Hono, type Context } from 'hono'
import { settingsOf } from '../../settings.ts'
import { maxAttempts } from '../../webhooks/deliveries/next-state.ts'
import { deliveryPageNotFound } from '../page-errors.ts'
import { limitWrites } from '../limit-writes.ts'
import { render } from '../parts/layout.tsx'
import { type DashboardEnv, forTenant } from '../viewer.ts'

/** Reads a page of deliveries, the endpoints and a running redelivery, in one round trip. */
export async function findDeliveries(db: Database, tenantId: string, filter: DeliveryFilter) {
  const {
    rows,
    last: [last],
    endpoints,
    redelivery: [redelivery],
  } = await runBatch(db, {
    ...deliveryQueries(db, tenantId, filter),
    endpoints: listEndpointRows(db, tenantId),
    redelivery: rangeRedeliveryQuery(db, tenantId),
  })
  return {
    ...cutDeliveries(rows, last, filter.limit),
    endpoints,
    redelivery: redelivery?.nextAt === null ? undefined : redelivery,
  }
}

type FoundDeliveries = Awaited<ReturnType<typeof findDeliveries>>

const filterFields = ['status', 'endpoint', 'from', 'to'] as const

export type DeliveryFilterValues = Readonly<Partial<Record<(typeof filterFields)[number], string>>>

function deliveryFilterValues(query: FormValues): DeliveryFilterValues {
  const filled = filterFields.map((name) => [name, query[name]?.trim().slice(0, 64)] as const)
  return Object.fromEntries(filled.filter(([, value]) => value !== undefined && value !== ''))
}

const time = ({ startOf }: Clock, text = '') =>
  /^[12]\d{3}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(text) && !Number.isNaN(Date.parse(`${text}Z`))
    ? startOf(`${text}Z`)
    : undefined

/** Converts query parameters to a filter. Ignores values that no form sends, such as an unknown status. */
export const readDeliveryFilter = (
  { status, endpoint, from, to }: DeliveryFilterValues,
  clock: Clock,
): Omit<DeliveryFilter, 'limit'> => ({
  status: deliveryStatuses.find((each) => each === status),
  endpointId: endpoint,
  fromMs: time(clock, from),
  untilMs: time(clock, to),
})

interface FilterProps {
  readonly values: DeliveryFilterValues
  readonly endpoints: FoundDeliveries['endpoints']
}

const FilterForm = ({ values, endpoints }: FilterProps) => {
  const { status, endpoint, ...times } = values
  const names = {
    ...(endpoint !== undefined && { [endpoint]: `Deleted (${endpoint})` }),
    ...Object.fromEntries(endpoints.map((row) => [row.id, endpointName(row)])),
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
 * Form that redelivers all deliveries that match the filter, after a confirmation. Hidden if only pending deliveries
 * match, or if all their endpoints are disabled.
 */
const RedeliveryForm = ({ values, endpoints }: FilterProps) => {
  const { status, endpoint } = values
  const isOn = endpoints.some((row) => row.enabled && (endpoint === undefined || row.id === endpoint))
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

interface RowProps {
  readonly delivery: DeliveryRow
  readonly endpoint: EndpointRow | undefined
  readonly hasOthers: boolean
  readonly now: number
}

const Row = ({ delivery, endpoint, hasOthers, now }: RowProps) => (
  <tr>
    <th scope="row">
      <a class="uuid" href={pathOfDelivery(delivery)}>
        {delivery.garmentUuid}
      </a>
      {delivery.kind !== 'tagging' && <span class="hint"> {delivery.kind}</span>}
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
      {delivery.lastError !== null && <span class="reason">{deliveryError(delivery.lastError)}</span>}
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
          <ButtonLink to={webhookPath}>Set up the webhook</ButtonLink>
        </Allowed>
      </p>
    </Empty>
  )

interface TimelineProps {
  readonly delivery: DeliveryRow
  readonly attempts: readonly AttemptRow[]
  readonly isFirst: boolean
  readonly now: number
}

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
  const isAccepted = attempt.error === null
  return (
    <li class={isAccepted ? 'good' : 'bad'}>
      <p class="title">
        <Badge tone={isAccepted ? 'good' : 'bad'}>
          {attempt.responseStatus === null ? 'No response' : `HTTP ${attempt.responseStatus}`}
        </Badge>{' '}
        <When at={attempt.at} />
      </p>
      <p class="hint">
        {isAccepted ? 'Accepted' : deliveryError(attempt.error)} · after {duration(attempt.durationMs)}
        {attempt.trigger === 'manual' && ' · manual'}
      </p>
      <ResponseBody body={attempt.responseBody ?? ''} label={`Response at ${useClock().text(attempt.at)}`} />
    </li>
  )
}

const Endpoint = ({ id }: { id: string }) => (
  <Allowed to="GET /dashboard/webhook/endpoint" otherwise={id}>
    <a href={endpointPath(id)}>{id}</a>
  </Allowed>
)

const Garment = ({ delivery }: { delivery: DeliveryRow }) =>
  isOfUuidOnly(eventOfKind(delivery.kind)) || delivery.body !== null ? (
    <span class="uuid">{delivery.garmentUuid}</span>
  ) : (
    <a href={garmentPath(delivery.garmentUuid)}>{delivery.garmentUuid}</a>
  )

const pageSize = 25
const attemptsShown = 20

export const deliveryPages = new Hono<DashboardEnv>()

interface ShownList {
  readonly values: DeliveryFilterValues
  readonly cursor?: string | undefined
  readonly problems?: Problems
}

async function renderList(c: Context<DashboardEnv>, { values, cursor, problems }: ShownList) {
  const filter = { ...readDeliveryFilter(values, c.get('viewer').clock), cursor, limit: pageSize }
  const found = await findDeliveries(c.get('db'), c.get('tenant').id, filter)
  const { deliveries, nextCursor, endpoints, redelivery } = found
  const [isFirst, now] = [cursor === undefined, Date.now()]
  const isSoon = deliveries.some(({ nextAttemptAt }) => nextAttemptAt !== null && nextAttemptAt < now + 15_000)
  const { status, ...others } = values
  return await render(
    c,
    { title: 'Deliveries', section: deliveriesPath },
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
          <PlainLink to={webhookPath}>Webhook</PlainLink>
        </Allowed>
      </Heading>
      <Summary problems={problems} />
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
                  endpoint={endpoints.find(({ id }) => id === delivery.endpointId)}
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
    </>,
  )
}

deliveryPages.get(deliveriesPath, forTenant, async (c) => {
  const { cursor, ...query } = c.req.query()
  return await renderList(c, { values: deliveryFilterValues(query), cursor })
})

deliveryPages.post(`${deliveriesPath}/redeliver`, formBody, forTenant, async (c) => {
  const { id: tenantId, createdAt } = c.get('tenant')
  const nowMs = Date.now()
  const result = await submitForm(c, [], async (sent) => {
    await limitWrites(c.env, tenantId)
    const values = deliveryFilterValues(sent)
    // Pending deliveries are attempted anyway.
    const filter = readDeliveryFilter(values, c.get('viewer').clock)
    const { status, endpointId = null, fromMs = createdAt, untilMs = nowMs } = filter
    const range = { fromMs, untilMs, endpointId, status: status === 'pending' ? null : (status ?? null) }
    await redeliverRange(c.get('db'), tenantId, range, nowMs)
    return values
  })
  if (result.ok) return c.redirect(withQuery(deliveriesPath, { ...result.value, done: 'accepted' }), 303)
  const { values, problems } = result.form
  return await renderList(c, { values: deliveryFilterValues(values), problems })
})

interface ShownDelivery {
  readonly uuid: string
  readonly kind: DeliveryKind | undefined
  readonly endpoint: string | undefined
  readonly cursor?: string | undefined
}

const shownDelivery = (values: Readonly<Record<string, string>>): ShownDelivery => ({
  uuid: values['uuid'] ?? '',
  kind: oneOf(deliveryKinds, values, 'kind'),
  endpoint: values['endpoint'],
})

async function renderDelivery(c: Context<DashboardEnv>, shown: ShownDelivery, problems?: Problems) {
  const { uuid, kind, endpoint, cursor } = shown
  c.set('uuid', uuid)
  const some = { limit: attemptsShown, cursor }
  const history = await findDeliveryHistory(c.get('db'), c.get('tenant').id, uuid, some, kind, endpoint)
  if (history === null) throw deliveryPageNotFound()
  const { delivery, attempts, nextCursor, isWebhookOn } = history
  const [isFirst, now] = [cursor === undefined, Date.now()]
  const isSoon = delivery.nextAttemptAt !== null && delivery.nextAttemptAt < now + 15_000
  return await render(
    c,
    { title: `Delivery of ${uuid}`, section: deliveriesPath },
    <>
      <Breadcrumb name="Deliveries" path={deliveriesPath} />
      <Summary problems={problems} />
      <div id="live" data-live={isSoon ? '' : undefined} data-announce={`Delivery: ${delivery.status}`}>
        <Heading
          title={
            <>
              {events[eventOfKind(delivery.kind)].title} <span class="uuid">{delivery.garmentUuid}</span>
            </>
          }
        >
          <DeliveryStatus status={delivery.status} />
        </Heading>
        <section class="card">
          <Facts
            facts={[
              ['Garment', <Garment delivery={delivery} />],
              ['Endpoint', delivery.endpointId === configEndpointId ? null : <Endpoint id={delivery.endpointId} />],
              [
                'Attempts',
                `${delivery.attemptCount} (at most ${maxAttempts(settingsOf(c.env).WEBHOOK_RETRY_DELAYS)} automatic)`,
              ],
              ['Created', <When at={delivery.createdAt} />],
              ['X-Delivery-ID', <code>{delivery.id}</code>],
              ['Last error', delivery.lastError && deliveryError(delivery.lastError)],
            ]}
          />
          <Resend delivery={delivery} isWebhookOn={isWebhookOn} />
        </section>
        <Timeline {...{ delivery, attempts, isFirst, now }} />
        {nextCursor !== null && (
          <p>
            <a href={`${pathOfDelivery(delivery)}&cursor=${encodeURIComponent(nextCursor)}`}>Older attempts</a>
          </p>
        )}
        {!isFirst && (
          <p>
            <a href={pathOfDelivery(delivery)}>Latest attempts</a>
          </p>
        )}
      </div>
    </>,
  )
}

deliveryPages.get('/dashboard/delivery', forTenant, async (c) => {
  const query = c.req.query()
  return await renderDelivery(c, { ...shownDelivery(query), cursor: query['cursor'] })
})

deliveryPages.post('/dashboard/delivery', formBody, forTenant, async (c) => {
  const shown = shownDelivery(await readForm(c))
  const { uuid, kind, endpoint } = shown
  const tenantId = c.get('tenant').id
  const result = await submitForm(c, [], async () => {
    await limitWrites(c.env, tenantId)
    await redeliver(c.get('db'), c.env.WEBHOOK_QUEUE, tenantId, uuid, Date.now(), kind, endpoint)
  })
  if (!result.ok) return await renderDelivery(c, shown, result.form.problems)
  return c.redirect(deliveryPath(uuid, kind, endpoint), 303)
})
