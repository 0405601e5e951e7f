import { dayMs } from '../../time.ts'

/** The longest pause that a peer can request, which is also the longest delay of a queue. */
export const maxRetryAfterMs = dayMs

/** Formats a `Retry-After` or `RateLimit-Reset` header: whole seconds, rounded up. */
export const toRetryAfter = (ms: number): string => String(Math.ceil(ms / 1000))

/**
 * Parses a `Retry-After` header (RFC 9110, 10.2.3: seconds or an HTTP date). Returns milliseconds, at most a day.
 * Returns 0 for a past date, and null for anything else.
 */
export function parseRetryAfter(header: string | null, nowMs: number): number | null {
  const text = header?.trim() ?? ''
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, maxRetryAfterMs)
  // `Date.parse` accepts more than HTTP dates, which all begin with a weekday.
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text)) return null
  const at = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`)
  return Number.isNaN(at) ? null : Math.min(Math.max(at - nowMs, 0), maxRetryAfterMs)
}
