import type { EndpointRow } from '../../events/delivery.ts'
import { deliveryError } from '../../events/delivery-error.ts'
import { type EndpointHealth, type EndpointWithHealth, maxPending } from '../../webhooks/endpoints/endpoint-health.ts'
import { duration, fromNow } from '../clock.ts'
import { ButtonLink, PlainLink, Badge, Card, Facts, Heading, Notice } from '../parts/elements.tsx'
import { deliveriesPath, endpointPath, webhookPath } from '../paths.ts'
import { maxEndpoints } from '../../events/delivery.ts'
import { Form } from '../parts/form-fields.tsx'
import { Table } from '../parts/list-parts.tsx'

export const endpointName = ({ description, url }: Pick<EndpointRow, 'description' | 'url'>) =>
  description === '' ? (url ?? '').replace(/^https?:\/\//, '') : description

const EndpointState = ({ row }: { row: EndpointRow }) => {
  if (row.enabled) return row.failingSince === null ? <Badge tone="good">On</Badge> : <Badge tone="bad">Failing</Badge>
  return row.disabledReason === null ? <Badge tone="calm">Off</Badge> : <Badge tone="bad">Switched off</Badge>
}

const acceptedText = ({ attempts, accepted }: EndpointHealth) =>
  attempts === 0 ? '–' : `${Math.floor((accepted / attempts) * 100)} % of ${attempts}`

const durationText = ({ durationMs }: EndpointHealth) => (durationMs === null ? '–' : duration(durationMs))

const pendingText = ({ pending, oldestPendingAt }: EndpointHealth, now: number) =>
  oldestPendingAt === null
    ? 'None'
    : `${pending === maxPending ? `${pending} or more` : pending}, the oldest from ${fromNow(oldestPendingAt, now)}`

export const Health = ({ row, now }: { row: EndpointWithHealth; now: number }) => (
  <Card
    id="health"
    title={
      <>
        Last 24 hours <EndpointState row={row} />
      </>
    }
  >
    <Facts
      facts={[
        ['Accepted', row.health.attempts === 0 ? 'No attempts' : `${acceptedText(row.health)} attempts`],
        ['Answers within', `${durationText(row.health)} (95 of 100)`],
        ['Pending', pendingText(row.health, now)],
        ['Deleted', row.expiresAt && `${fromNow(row.expiresAt, now)}, unless that is put off`],
        ['Failing since', row.failingSince && fromNow(row.failingSince, now)],
      ]}
    />
    <p class="hint">Of the latest deliveries. Pending ones are sent when they are due.</p>
  </Card>
)

export const SwitchedOff = ({ row }: { row: EndpointRow }) =>
  row.disabledReason === null ? null : (
    <Notice tone="bad" title={`We switched it off: ${deliveryError(row.disabledReason)}`}>
      <p>
        Its pending deliveries have ended. When your system answers again, switch the endpoint on and send them again.
      </p>
      <SwitchOn row={row} />
    </Notice>
  )

const SwitchOn = ({ row }: { row: EndpointRow }) => (
  <Form action={`${webhookPath}/enable`} fields={{ endpoint: row.id }}>
    <button class="plain">
      Switch on<span class="visually-hidden"> {row.description || row.url}</span>
    </button>
  </Form>
)

export const EndpointsPage = ({ endpoints, now }: { endpoints: readonly EndpointWithHealth[]; now: number }) => (
  <>
    <Heading
      title="Webhook"
      lead="Each endpoint receives the events that it subscribes to, with its own secret, retries and speed."
    >
      <PlainLink to={deliveriesPath}>Deliveries</PlainLink>
      {endpoints.length < maxEndpoints && <ButtonLink to={`${webhookPath}/new`}>Add an endpoint</ButtonLink>}
    </Heading>
    <section class="card flush" aria-label="Endpoints">
      <Table names={['Endpoint', 'State', 'Accepted', 'Answers within', 'Pending']} hasActions>
        {endpoints.map((row) => (
          <Row row={row} now={now} />
        ))}
      </Table>
    </section>
    <p class="hint">
      Of the latest deliveries in the last 24 hours. “Answers within” is the time in which 95 of 100 attempts ended.
    </p>
  </>
)

const Row = ({ row, now }: { row: EndpointWithHealth; now: number }) => (
  <tr>
    <th scope="row">
      <a class="break" href={endpointPath(row.id)}>
        {endpointName(row)}
      </a>
      {row.description !== '' && <span class="hint break"> {row.url}</span>}
    </th>
    <td data-label="State">
      <EndpointState row={row} />
      {row.disabledReason !== null && <span class="reason">{deliveryError(row.disabledReason)}</span>}
    </td>
    <td data-label="Accepted">{acceptedText(row.health)}</td>
    <td data-label="Answers">{durationText(row.health)}</td>
    <td data-label="Pending">{pendingText(row.health, now)}</td>
    <td class="end">{!row.enabled && <SwitchOn row={row} />}</td>
  </tr>
)
