/** The longest pause a receiver can ask for, and the longest delay a queue takes. */
const maxDelayMs = 24 * 60 * 60 * 1000

/** Spreads the retries of deliveries that failed at the same time. */
const maxJitter = 0.1

/** The automatic attempts of a delivery: the first, and one after each pause. */
export const maxAttempts = (retryDelays: readonly number[]) => retryDelays.length + 1

/**
 * The pause a `Retry-After` header asks for (RFC 9110, 10.2.3: whole seconds or an HTTP date), in milliseconds, at most
 * a day; 0 for a past date; null for anything else.
 */
export function parseRetryAfter(header: string | null, nowMs: number): number | null {
  const text = header?.trim() ?? ''
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, maxDelayMs)
  // Date.parse accepts more than HTTP dates ("-5" for example). All three forms in RFC 9110, 5.6.7 begin with a weekday.
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text)) return null
  const at = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`)
  return Number.isNaN(at) ? null : Math.min(Math.max(at - nowMs, 0), maxDelayMs)
}

/**
 * The pause in milliseconds after failed attempt `attempt` (from 1), or null if it was the last. `retryDelays` are in
 * seconds, `random` is in [0, 1), `retryAfterMs` is what the receiver asked for.
 */
export function retryDelayMs(
  attempt: number,
  retryDelays: readonly number[],
  retryAfterMs: number | null,
  random: number,
): number | null {
  const seconds = retryDelays[attempt - 1]
  if (seconds === undefined) return null
  const jittered = seconds * 1000 * (1 + random * maxJitter)
  return Math.round(Math.min(Math.max(jittered, retryAfterMs ?? 0), maxDelayMs))
}
