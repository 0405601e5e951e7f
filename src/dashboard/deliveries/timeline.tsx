import type { DeliveryRow } from '../../webhook/delivery/conditions.ts'
import type { AttemptRow } from '../../webhook/delivery/list-attempts.ts'
import { deliveryError } from '../../webhook/delivery-error.ts'
import { duration, fromNow, type Clock } from '../clock.ts'
import { Badge, Empty, When } from '../parts/text.tsx'
import { ResponseBody } from '../webhook/response-body.tsx'

interface TimelineProps {
  readonly delivery: DeliveryRow
  readonly attempts: readonly AttemptRow[]
  readonly isFirst: boolean
  readonly clock: Clock
  readonly now: number
}

/** Newest first, with the next scheduled attempt above. */
export const Timeline = ({ delivery, attempts, isFirst, clock, now }: TimelineProps) => (
  <section class="card" aria-labelledby="attempts">
    <h2 id="attempts">Attempts</h2>
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
              <When at={delivery.nextAttemptAt} clock={clock} />
            </span>
          </p>
        </li>
      )}
      {attempts.map((attempt) => (
        <Attempt attempt={attempt} clock={clock} />
      ))}
    </ol>
  </section>
)

const Attempt = ({ attempt, clock }: { attempt: AttemptRow; clock: Clock }) => {
  const isAccepted = attempt.error === ''
  return (
    <li class={isAccepted ? 'good' : 'bad'}>
      <p class="title">
        <Badge tone={isAccepted ? 'good' : 'bad'}>
          {attempt.responseStatus === 0 ? 'No response' : `HTTP ${attempt.responseStatus}`}
        </Badge>{' '}
        <When at={attempt.at} clock={clock} />
      </p>
      <p class="hint">
        {isAccepted ? 'Accepted' : deliveryError(attempt.error)} · after {duration(attempt.durationMs)}
        {attempt.trigger === 'manual' && ' · manual'}
      </p>
      <ResponseBody body={attempt.responseBody} label={`Response at ${clock.text(attempt.at)}`} />
    </li>
  )
}
