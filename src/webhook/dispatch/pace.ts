import type { Sleep } from '../../time.ts'

export type Pace = (maxPerSecond: number | null) => Promise<void>

interface PaceDeps {
  readonly now: () => number
  readonly sleep: Sleep
}

/**
 * Waits for its turn, so that turns are at least a second divided by `maxPerSecond` apart; null has no limit. With the
 * few attempts that run at a time, the wait is far shorter than the lease of an attempt.
 */
export function createPace({ now, sleep }: PaceDeps): Pace {
  let nextMs = 0
  return async (maxPerSecond) => {
    if (maxPerSecond === null) return
    const turnMs = Math.max(now(), nextMs)
    nextMs = turnMs + 1000 / maxPerSecond
    if (turnMs > now()) await sleep(turnMs - now())
  }
}
