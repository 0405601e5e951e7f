import { dayMs } from '../../time.ts'

/** The longest pause a peer can ask for. It is also the longest delay that a queue takes. */
export const maxRetryAfterMs = dayMs

/** The value of a `Retry-After` or `RateLimit-Reset` header: whole seconds, rounded up. */
export const toRetryAfter = (ms: number): string => String(Math.ceil(ms / 1000))

/**
 * The pause a `Retry-After` header asks for (RFC 9110, 10.2.3: whole seconds or an HTTP date), in milliseconds, at most
 * a day; 0 for a past date; null for anything else.
 */
export function parseRetryAfter(header: string | null, nowMs: number): number | null {
  const text = header?.trim() ?? ''
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, maxRetryAfterMs)
  // Date.parse accepts more than HTTP dates ("-5" for example). All three forms in RFC 9110, 5.6.7 begin with a
  // weekday.
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text)) return null
  const at = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`)
  return Number.isNaN(at) ? null : Math.min(Math.max(at - nowMs, 0), maxRetryAfterMs)
}
