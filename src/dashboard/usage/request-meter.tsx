import { windowMs } from '../../rate-limit/sliding-window.ts'

/** `admitted` are the requests of the last minute, oldest first, ms since epoch. */
export interface RequestUsage {
  readonly admitted: readonly number[]
  readonly limit: number
}

/** One cell for each request that the minute has room for; those that are used are filled. */
const cellsShown = 60

export const RequestMeter = ({ usage: { admitted, limit }, now }: { usage: RequestUsage; now: number }) => {
  const used = admitted.length
  const oldest = admitted[0]
  const isFull = used >= limit
  const freeIn = oldest === undefined ? 0 : Math.ceil((oldest + windowMs - now) / 1000)
  const cells = Math.min(limit, cellsShown)
  const filled = Math.round((Math.min(used, limit) / limit) * cells)
  return (
    <div class={isFull ? 'meter full' : 'meter'}>
      <p>
        <strong>{used}</strong> of {limit} requests{' '}
        <span class="hint">
          {isFull
            ? `Further requests are refused; the next is admitted in ${freeIn} s.`
            : 'to the API under this domain. These pages do not count.'}
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
