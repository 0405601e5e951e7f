import type { ConfigRow } from '../../webhook/config/config-row.ts'
import { deliveryError } from '../../webhook/delivery-error.ts'
import {
  maxPending,
  type EndpointHealth,
  type EndpointWithHealth,
} from '../../webhook/endpoint/list-endpoint-health.ts'
import { duration, fromNow } from '../clock.ts'
import { Badge, Facts, Notice } from '../parts/text.tsx'
import { webhookPath } from '../paths.ts'

export const EndpointState = ({ row }: { row: ConfigRow }) => {
  if (row.enabled) return row.failingSince === null ? <Badge tone="good">On</Badge> : <Badge tone="bad">Failing</Badge>
  return row.disabledReason === '' ? <Badge tone="calm">Off</Badge> : <Badge tone="bad">Switched off</Badge>
}

export const acceptedText = ({ attempts, accepted }: EndpointHealth) =>
  attempts === 0 ? '–' : `${Math.floor((accepted / attempts) * 100)} % of ${attempts}`

export const durationText = ({ durationMs }: EndpointHealth) => (durationMs === null ? '–' : duration(durationMs))

export const pendingText = ({ pending, oldestPendingAt }: EndpointHealth, now: number) =>
  oldestPendingAt === null
    ? 'None'
    : `${pending === maxPending ? `${pending} or more` : pending}, the oldest from ${fromNow(oldestPendingAt, now)}`

/** The answers of an endpoint in the last 24 hours. */
export const Health = ({ row, now }: { row: EndpointWithHealth; now: number }) => (
  <section class="card" aria-labelledby="health">
    <h2 id="health">
      Last 24 hours <EndpointState row={row} />
    </h2>
    <Facts
      facts={[
        ['Accepted', row.health.attempts === 0 ? 'No attempts' : `${acceptedText(row.health)} attempts`],
        ['Answers within', `${durationText(row.health)} (95 of 100)`],
        ['Pending', pendingText(row.health, now)],
        ...(row.expiresAt === null
          ? []
          : [['Deleted', `${fromNow(row.expiresAt, now)}, unless that is put off`] as const]),
        ...(row.failingSince === null ? [] : [['Failing since', fromNow(row.failingSince, now)] as const]),
      ]}
    />
    <p class="hint">Of the latest deliveries. Pending ones are sent when they are due.</p>
  </section>
)

/** Explains why the service has disabled an endpoint, with a button that enables it. */
export const SwitchedOff = ({ row }: { row: ConfigRow }) =>
  row.disabledReason === '' ? null : (
    <Notice tone="bad" title={`We switched it off: ${deliveryError(row.disabledReason)}`}>
      <p>Deliveries that were pending have ended. When your system answers again, switch it on and send them again.</p>
      <SwitchOn row={row} />
    </Notice>
  )

export const SwitchOn = ({ row }: { row: ConfigRow }) => (
  <form method="post" action={`${webhookPath}/enable`}>
    <input type="hidden" name="endpoint" value={row.endpoint} />
    <button class="plain">
      Switch on<span class="visually-hidden"> {row.description || row.url}</span>
    </button>
  </form>
)
