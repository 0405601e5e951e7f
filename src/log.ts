import { AsyncLocalStorage } from 'node:async_hooks'

type LogFields = Readonly<Record<string, unknown>>

const requestIds = new AsyncLocalStorage<string | undefined>()

/** Runs `act` for a request, whose id is on the log lines of it and in the messages that it sends. */
export const forRequest = <T>(id: string | undefined, act: () => T): T => requestIds.run(id, act)

export const currentRequestId = (): string | undefined => requestIds.getStore()

/** The message of a database error ends with the parameters of its statement, which may be secrets. */
const parametersMark = '\nparams:'

function describe(value: unknown): unknown {
  if (!(value instanceof Error)) return value
  const [message = ''] = value.message.split(parametersMark)
  const cause = value.cause instanceof Error ? `; cause: ${String(describe(value.cause))}` : ''
  return `${value.name}: ${message}${cause}`
}

/** Writes one JSON line of ids, counts, durations and an `error`; never a header, a body, a key or a URL's query. */
export function log(level: 'info' | 'warn' | 'error', event: string, fields: LogFields = {}): void {
  const line = { level, event, request_id: currentRequestId(), ...fields }
  console[level](JSON.stringify('error' in fields ? { ...line, error: describe(fields['error']) } : line))
}
