export type LogFields = Readonly<Record<string, unknown>>

/**
 * An error as text, by its innermost cause: a failed query's own message holds its parameters, which may be hashes of
 * passwords and signed addresses.
 */
function toText(value: unknown): unknown {
  if (!(value instanceof Error)) return value
  if (value.cause instanceof Error) return toText(value.cause)
  return `${value.name}: ${value.message.split('\nparams: ', 1)[0]}`
}

/** One JSON line. Callers pass ids, counts and durations, never a header, a body, a key or an address's query. */
export function log(level: 'info' | 'warn' | 'error', event: string, fields: LogFields = {}): void {
  const entries = Object.entries(fields).map(([key, value]) => [key, toText(value)])
  console[level](JSON.stringify({ level, event, ...Object.fromEntries(entries) }))
}
