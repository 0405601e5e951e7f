export type LogFields = Readonly<Record<string, unknown>>

const describe = (value: unknown) => (value instanceof Error ? `${value.name}: ${value.message}` : value)

/** One JSON line. Callers pass ids, counts and durations, never a header, a body, a key or an address's query. */
export function log(level: 'info' | 'warn' | 'error', event: string, fields: LogFields = {}): void {
  const entries = Object.entries(fields).map(([key, value]) => [key, describe(value)])
  console[level](JSON.stringify({ level, event, ...Object.fromEntries(entries) }))
}
