import type { Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { log } from '../log.ts'
import { type ErrorCode, errorCodes } from './error-codes.ts'

/** A body of 64 KiB can hold tens of thousands of problems, whose list would be far larger than the body. */
const maxProblems = 20

const firstOf = (problems: readonly string[]) =>
  problems.length <= maxProblems
    ? problems
    : [...problems.slice(0, maxProblems), `and ${problems.length - maxProblems} more`]

/**
 * A failure that the client sees: `title` becomes `message`, the first 20 `problems` become `error`. Each is made in
 * the `errors.ts` of its feature, which throws it and describes it in the OpenAPI document.
 */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly code: ErrorCode
  readonly status: ContentfulStatusCode
  readonly problems: readonly string[]
  readonly headers: Readonly<Record<string, string>>

  constructor(
    code: ErrorCode,
    title: string,
    problems: readonly string[],
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(title)
    this.code = code
    this.status = errorCodes[code].status
    this.problems = firstOf(problems)
    this.headers = headers
  }
}

export const malformedBody = () =>
  new ApiError('malformed_body', 'Malformed request', ['The body is not well-formed JSON.'])

export const overloaded = () =>
  new ApiError('overloaded', 'Service overloaded', ['The service is busy; try again in a moment.'], {
    'Retry-After': '1',
  })

/** A database that is full. */
export const noRoom = () =>
  new ApiError('no_room', 'No room', [
    'Nothing can be stored until something was removed: shorten the retention period, or tell the operator.',
  ])

export const internalError = () =>
  new ApiError('internal_error', 'Internal error', ['Something went wrong on our side; nothing you sent caused it.'])

/** The body of the response to a failure. */
export const toEnvelope = ({ problems, message, code }: ApiError) => ({
  status: false as const,
  data: {},
  error: problems,
  message,
  code,
})

const causesOf = (error: Error) => `${error.message} ${error.cause instanceof Error ? error.cause.message : ''}`

/**
 * True for what the platform throws if a database has its largest size:
 * https://developers.cloudflare.com/d1/observability/debug-d1/
 */
const isFull = (error: unknown) =>
  error instanceof Error && /Exceeded maximum DB size|database or disk is full|SQLITE_FULL/.test(causesOf(error))

/** True for what the platform throws if a Durable Object or the database is overloaded or being moved. */
function isOverload(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { overloaded, retryable } = error as { overloaded?: boolean; retryable?: boolean }
  const causes = causesOf(error)
  return (
    overloaded === true || retryable === true || /overloaded|Network connection lost|object to be reset/.test(causes)
  )
}

/** Maps any error to a public message. Internal causes never leak. */
export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof HTTPException && error.status === 400) return malformedBody()
  if (isFull(error)) return noRoom()
  return isOverload(error) ? overloaded() : internalError()
}

export function respondWithError(error: unknown, c: Context): Response {
  const failure = asApiError(error)
  if (failure.status >= 500) log('error', 'request failed', { request_id: c.get('requestId'), error })
  for (const [name, value] of Object.entries(failure.headers)) c.header(name, value)
  return c.json(toEnvelope(failure), failure.status)
}
