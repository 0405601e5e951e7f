type LogFields = Readonly<Record<string, unknown>>

/** The message of a database error ends with the parameters of its statement, which may be secrets. */
const parametersMark = '\nparams:'

function describe(value: unknown): unknown {
  if (!(value instanceof Error)) return value
  const [message = ''] = value.message.split(parametersMark)
  const cause = value.cause instanceof Error ? `; cause: ${String(describe(value.cause))}` : ''
  return `${value.name}: ${message}${cause}`
}

/** Writes one JSON line. Pass ids, counts and durations, never a header, a body, a key or a URL's query. */
export function log(level: 'info' | 'warn' | 'error', event: string, fields: LogFields = {}): void {
  const entries = Object.entries(fields).map(([key, value]) => [key, describe(value)])
  console[level](JSON.stringify({ level, event, ...Object.fromEntries(entries) }))
}
