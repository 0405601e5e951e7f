import { env } from 'cloudflare:workers'

/**
 * Lets the service's clock run faster than ours, so that time-outs, leases and pauses pass within a run. Imported before
 * anything of the service. The clock goes on where it was when the process is started again.
 */
export interface ClockVars {
  readonly SOAK_CLOCK_FACTOR: string
  /** Milliseconds since the epoch, at which both clocks are equal. */
  readonly SOAK_CLOCK_START: string
}

const vars = env as unknown as ClockVars
export const clockFactor = Number(vars.SOAK_CLOCK_FACTOR)
const startMs = Number(vars.SOAK_CLOCK_START)

const realNow = Date.now.bind(Date)
const realSetTimeout = globalThis.setTimeout

Date.now = () => Math.round(startMs + (realNow() - startMs) * clockFactor)
globalThis.setTimeout = ((handler: () => void, ms = 0) =>
  realSetTimeout(handler, ms / clockFactor)) as typeof setTimeout
