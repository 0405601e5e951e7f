import type { deliveryAttempts } from '../../db/schema.ts'
import type { DeliveryRow } from '../../webhook/delivery/delivery-record.ts'
import { duration, fromNow, type Clock } from '../clock.ts'
import { Badge, Empty, When } from '../parts/text.tsx'
import { Answered } from './answered.tsx'

export type AttemptRow = typeof deliveryAttempts.$inferSelect

interface TimelineProps {
  readonly delivery: DeliveryRow
  readonly attempts: readonly AttemptRow[]
  readonly until?: string | undefined
  readonly clock: Clock
  readonly now: number
}

/** Newest first; what is still to come stands above. */
export const Timeline = ({ delivery, attempts, until, clock, now }: TimelineProps) => (
  <section class="card" aria-labelledby="attempts">
    <h2 id="attempts">Attempts</h2>
    {attempts.length === 0 && delivery.nextAttemptAt === null && (
      <Empty title="No attempt was made">
        <p>Attempts appear here with what your system answered.</p>
      </Empty>
    )}
    <ol class="timeline">
      {until === undefined && delivery.nextAttemptAt !== null && (
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
  const isTaken = attempt.error === ''
  return (
    <li class={isTaken ? 'good' : 'bad'}>
      <p class="title">
        <Badge tone={isTaken ? 'good' : 'bad'}>
          {attempt.responseStatus === 0 ? 'No answer' : `HTTP ${attempt.responseStatus}`}
        </Badge>{' '}
        <When at={attempt.at} clock={clock} />
      </p>
      <p class="hint">
        {isTaken ? 'Taken' : attempt.error} · after {duration(attempt.durationMs)}
        {attempt.trigger === 'manual' && ' · asked for by hand'}
      </p>
      <Answered body={attempt.responseBody} label={`Answer at ${clock.text(attempt.at)}`} />
    </li>
  )
}
