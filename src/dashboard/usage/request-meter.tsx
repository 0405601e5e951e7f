import { minuteMs } from '../../time.ts'

/** `admitted` are the times of the requests in the last minute, oldest first, in ms since the epoch. */
export interface RequestUsage {
  readonly admitted: readonly number[]
  readonly limit: number
}

/** One cell per request that the limit allows, up to this many. */
const cellsShown = 60

export const RequestMeter = ({ usage: { admitted, limit }, now }: { usage: RequestUsage; now: number }) => {
  const used = admitted.length
  const oldest = admitted[0]
  const isFull = used >= limit
  const freeIn = oldest === undefined ? 0 : Math.ceil((oldest + minuteMs - now) / 1000)
  const cells = Math.min(limit, cellsShown)
  const filled = Math.round((Math.min(used, limit) / limit) * cells)
  return (
    <div class={isFull ? 'meter full' : 'meter'}>
      <p>
        <strong>{used}</strong> of {limit} requests{' '}
        <span class="hint">
          {isFull
            ? `Further requests are rejected. The next one is allowed in ${freeIn} s.`
            : 'to the API for this domain. The dashboard does not count.'}
        </span>
      </p>
      <svg viewBox={`0 0 ${cells * 10 - 1} 8`} preserveAspectRatio="none" aria-hidden="true">
        {Array.from({ length: cells }, (_, i) => (
          <rect class={i < filled ? 'on' : 'off'} x={i * 10} width="9" height="8" />
        ))}
      </svg>
    </div>
  )
}
