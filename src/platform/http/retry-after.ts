import { dayMs } from '../../time.ts'

/** The longest delay of a queue. */
export const maxRetryAfterMs = dayMs

/** Formats a `Retry-After` or `RateLimit-Reset` header: whole seconds, rounded up. */
export const toRetryAfter = (ms: number): string => String(Math.ceil(ms / 1000))

/**
 * Parses `Retry-After` (RFC 9110, 10.2.3) into milliseconds, at most a day. Returns 0 for a past date, null otherwise.
 */
export function parseRetryAfter(header: string | null, nowMs: number): number | null {
  const text = header?.trim() ?? ''
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, maxRetryAfterMs)
  // HTTP dates begin with a weekday. `Date.parse` accepts other dates too.
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text)) return null
  const at = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`)
  return Number.isNaN(at) ? null : Math.min(Math.max(at - nowMs, 0), maxRetryAfterMs)
}
