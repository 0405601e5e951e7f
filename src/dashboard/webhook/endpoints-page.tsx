import { maxEndpoints } from '../../webhook/errors.ts'
import { deliveryError } from '../../webhook/delivery-error.ts'
import type { EndpointWithHealth } from '../../webhook/endpoint/list-endpoint-health.ts'
import { Columns } from '../parts/list.tsx'
import { Heading, Notice } from '../parts/text.tsx'
import { endpointPath, webhookPath, deliveriesPath } from '../paths.ts'
import { endpointName } from './endpoint-name.ts'
import { acceptedText, durationText, EndpointState, pendingText, SwitchOn } from './health.tsx'

interface EndpointsPageProps {
  readonly endpoints: readonly EndpointWithHealth[]
  readonly notice: string | undefined
  readonly now: number
}

/** Of a tenant with several endpoints. */
export const EndpointsPage = ({ endpoints, notice, now }: EndpointsPageProps) => (
  <>
    <Heading
      title="Webhook"
      lead="Each endpoint is sent the events that it asks for, with its own secret, retries and speed."
    >
      <a class="button plain" href={deliveriesPath}>
        Deliveries
      </a>
      {endpoints.length < maxEndpoints && (
        <a class="button" href={`${webhookPath}/new`}>
          Add an endpoint
        </a>
      )}
    </Heading>
    {notice !== undefined && <Notice tone="good" title={notice} />}
    <section class="card flush" aria-label="Endpoints">
      <table class="stack">
        <Columns names={['Endpoint', 'State', 'Accepted', 'Answers within', 'Pending']} hasActions />
        <tbody>
          {endpoints.map((row) => (
            <Row row={row} now={now} />
          ))}
        </tbody>
      </table>
    </section>
    <p class="hint">
      Of the latest deliveries in the last 24 hours. “Answers within” is the time in which 95 of 100 attempts ended.
    </p>
  </>
)

const Row = ({ row, now }: { row: EndpointWithHealth; now: number }) => (
  <tr>
    <th scope="row">
      <a class="break" href={endpointPath(row.endpoint)}>
        {endpointName(row)}
      </a>
      {row.description !== '' && <span class="hint break"> {row.url}</span>}
    </th>
    <td data-label="State">
      <EndpointState row={row} />
      {row.disabledReason !== '' && <span class="reason">{deliveryError(row.disabledReason)}</span>}
    </td>
    <td data-label="Accepted">{acceptedText(row.health)}</td>
    <td data-label="Answers">{durationText(row.health)}</td>
    <td data-label="Pending">{pendingText(row.health, now)}</td>
    <td class="end">{!row.enabled && <SwitchOn row={row} />}</td>
  </tr>
)
