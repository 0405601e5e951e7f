import { env } from 'cloudflare:workers'

/**
 * Makes the service's clock run faster, so that timeouts, leases and retry delays pass within a test run. Import it
 * before the service. The clock keeps its pace across restarts.
 */
export interface ClockVars {
  readonly SOAK_CLOCK_FACTOR: string
  /** When both clocks are equal, in ms since the epoch. */
  readonly SOAK_CLOCK_START: string
}

const vars = env as unknown as ClockVars
export const clockFactor = Number(vars.SOAK_CLOCK_FACTOR)
const startMs = Number(vars.SOAK_CLOCK_START)

export const realNow = Date.now.bind(Date)
const realSetTimeout = globalThis.setTimeout

/** Returns the time of the service's clock at a real time. Queues use the real time. */
export const serviceTime = (realMs: number) => Math.round(startMs + (realMs - startMs) * clockFactor)

Date.now = () => serviceTime(realNow())
globalThis.setTimeout = ((handler: () => void, ms = 0) =>
  realSetTimeout(handler, ms / clockFactor)) as typeof setTimeout
