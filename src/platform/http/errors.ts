import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { log } from '../../log.ts'
import { boundPath } from '../limits/bound-text.ts'
import { toRetryAfter } from './retry-after.ts'

interface ErrorCodeMeaning {
  readonly status: ContentfulStatusCode
  /** Default `message`. Derived from the code if absent. */
  readonly title?: string
  /** Default sentence in `error`. The advice if absent. */
  readonly problem?: string
  /** Advice for client developers, in the documentation. */
  readonly advice: string
}

/** The closed list of failure codes. Clients compare codes, so none is renamed or gets another status. */
export const errorCodes = {
  malformed_body: { status: 400, advice: 'Send a body that is well-formed.' },
  invalid_body: { status: 400, advice: 'Fix each field that `error` names.' },
  invalid_query: { status: 400, advice: 'Fix each parameter that `error` names.' },
  email_taken: {
    status: 400,
    title: 'Email already exists',
    problem: 'email: a merchant with this email already exists',
    advice: 'Sign in, or use another email.',
  },
  wrong_password: {
    status: 400,
    problem: 'password: this is not the current password',
    advice: 'Give the current password.',
  },
  domain_taken: {
    status: 400,
    title: 'Domain already exists',
    problem: 'domain: this domain is taken. GET /merchant/tenant shows whether your own tenant has it.',
    advice: 'Choose another domain.',
  },
  unusable_file: { status: 400, advice: 'Fix the line that `error` names.' },
  unauthorized: { status: 401, advice: 'Check the credentials: `API-KEY` and `DOMAIN` of the same tenant.' },
  invalid_token: { status: 401, advice: 'Sign in again.' },
  invalid_credentials: {
    status: 401,
    problem: 'The email or the password is wrong.',
    advice: 'Check email and password.',
  },
  forbidden: { status: 403, advice: 'Submit the form from its own page.' },
  sign_up_not_allowed: { status: 403, advice: 'Ask the operator of the service for a code.' },
  account_events: {
    status: 403,
    title: 'Endpoint receives account events',
    problem:
      'events: only an owner can select account events, or change or delete an endpoint that receives them, in the dashboard',
    advice: 'Change the endpoint in the dashboard, as an owner of the account.',
  },
  role_not_allowed: { status: 403, advice: 'Ask an owner of the account.' },
  not_found: { status: 404, advice: 'Check the path.' },
  member_not_found: { status: 404, problem: 'There is no such member.', advice: 'Check the email.' },
  link_not_valid: {
    status: 404,
    title: 'This link is not valid',
    advice: 'The link was used already or has expired. Ask the person who sent it for a new one.',
  },
  tenant_not_found: { status: 404, advice: 'This merchant has no tenant. Create one first.' },
  api_key_not_found: {
    status: 404,
    title: 'API key not found',
    problem: 'There is no live key with this id.',
    advice: 'Check the id; the key may have been revoked.',
  },
  garment_not_found: {
    status: 404,
    problem: 'uuid: no garment was uploaded with this uuid',
    advice: 'Check the uuid; results are removed after the retention time.',
  },
  delivery_not_found: {
    status: 404,
    problem: 'uuid: there is no webhook delivery for a garment of this uuid',
    advice: 'Check the uuid, and whether the webhook was enabled when tagging ended.',
  },
  endpoint_not_found: {
    status: 404,
    problem: 'endpoint: there is no webhook endpoint of this id',
    advice: 'Check the id; the endpoint may have been deleted.',
  },
  import_not_found: {
    status: 404,
    problem: 'You have no import with this id.',
    advice: 'Check the id; imports are removed after the retention time.',
  },
  studio_not_found: { status: 404, problem: 'There is no studio of this name.', advice: 'Check the name.' },
  method_not_allowed: { status: 405, advice: 'Use a method that `Allow` names.' },
  uuid_conflict: {
    status: 409,
    advice: 'Change the garment by PATCH, as `error` says. For another garment, use another uuid.',
  },
  garment_not_complete: { status: 409, advice: 'Wait until the garment is complete.' },
  garment_changed: {
    status: 409,
    problem: 'Others are correcting this garment; try again.',
    advice: 'Read the garment again, then repeat the correction.',
  },
  merchant_has_tenant: {
    status: 409,
    title: 'Merchant has a tenant',
    advice: 'Delete the tenant before the account.',
  },
  tenant_exists: {
    status: 409,
    title: 'Tenant already exists',
    advice:
      'A merchant has one tenant. GET /merchant/tenant shows yours, and POST /merchant/tenant/api-key creates keys for it.',
  },
  tenant_active: {
    status: 409,
    title: 'Tenant has active data',
    advice: 'A garment is being tagged or a webhook delivery is pending. Wait, or disable the webhook.',
  },
  last_owner: { status: 409, advice: 'An account needs an owner. Make another member an owner first.' },
  too_many_members: { status: 409, advice: 'Remove a member or an invitation first.' },
  too_many_api_keys: { status: 409, advice: 'Revoke a key first.' },
  too_many_studios: { status: 409, advice: 'Remove a studio first.' },
  too_many_endpoints: { status: 409, advice: 'Delete an endpoint first.' },
  webhook_not_configured: { status: 409, advice: 'Configure a webhook URL before testing it.' },
  webhook_unreadable: {
    status: 409,
    title: 'Webhook configuration unreadable',
    advice: 'The stored secret and headers can no longer be decrypted. Put the configuration again.',
  },
  webhook_off: { status: 409, title: 'Webhook is off', advice: 'Enable the webhook before redelivering.' },
  attempt_under_way: { status: 409, advice: 'An attempt is in progress. Wait for its outcome first.' },
  redelivery_not_found: {
    status: 404,
    problem: 'There was no redelivery of a time range.',
    advice: 'Start one by POST /garment-tagging/webhook/redeliver with `from` and `to`.',
  },
  redelivery_under_way: {
    status: 409,
    advice: 'Wait until the redelivery of the earlier time range has ended.',
  },
  length_required: { status: 411, advice: 'Send `Content-Length`.' },
  precondition_failed: {
    status: 412,
    title: 'Garment changed',
    problem:
      'If-Match: the garment has changed since you read it; query it again and send your correction with its new ETag.',
    advice: 'Read the garment again, and send its new `ETag`.',
  },
  body_too_large: { status: 413, advice: 'Send less.' },
  storage_quota_exceeded: { status: 413, advice: 'Send less, or free space as `error` says.' },
  unsupported_media_type: { status: 415, advice: 'Send the type that `error` names.' },
  rate_limited: { status: 429, advice: 'Wait as many seconds as `Retry-After` says.' },
  too_many_attempts: { status: 429, advice: 'Wait as many seconds as `Retry-After` says.' },
  too_many_waiting: { status: 429, advice: 'Wait until some garments have been tagged.' },
  quota_exceeded: { status: 429, advice: 'Do what `error` says, or ask the operator for more.' },
  too_many_imports: { status: 429, advice: 'Wait until an import has ended.' },
  too_many_files: { status: 429, advice: 'Begin another import.' },
  internal_error: { status: 500, advice: 'Try again later, or tell the operator the `X-Request-Id`.' },
  not_healthy: { status: 503, advice: 'For monitors of `/health`: see the runbook.' },
  overloaded: { status: 503, advice: 'Wait as many seconds as `Retry-After` says, then try again.' },
  no_room: { status: 507, advice: 'Nothing was stored. Free space as `error` says, or tell the operator.' },
} as const satisfies Readonly<Record<string, ErrorCodeMeaning>>

export type ErrorCode = keyof typeof errorCodes

const maxProblems = 20

const firstOf = (problems: readonly string[]) =>
  problems.length <= maxProblems
    ? problems
    : [...problems.slice(0, maxProblems), `and ${problems.length - maxProblems} more`]

const titleOf = (code: ErrorCode) => {
  const { title = code.replaceAll('_', ' ') }: ErrorCodeMeaning = errorCodes[code]
  return title.charAt(0).toUpperCase() + title.slice(1)
}

const problemOf = (code: ErrorCode) => {
  const { advice, problem = advice }: ErrorCodeMeaning = errorCodes[code]
  return problem
}

/** A failure that the client sees: `title` becomes `message`, and the first 20 `problems` become `error`. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly code: ErrorCode
  readonly status: ContentfulStatusCode
  readonly problems: readonly string[]
  readonly headers: Readonly<Record<string, string>>

  constructor(
    code: ErrorCode,
    title = titleOf(code),
    problems: readonly string[] = [problemOf(code)],
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

export const noRoom = () =>
  new ApiError('no_room', 'No room', ['The database is full. Shorten the retention period, or tell the operator.'])

export const internalError = () =>
  new ApiError('internal_error', 'Internal error', ['Something went wrong on our side. Your request did not cause it.'])

export const toEnvelope = ({ problems, message, code }: ApiError) => ({
  status: false as const,
  data: {},
  error: problems,
  message,
  code,
})

const causesOf = (error: Error) => `${error.message} ${error.cause instanceof Error ? error.cause.message : ''}`

/** Whether the database is at its maximum size: https://developers.cloudflare.com/d1/observability/debug-d1/ */
const isFull = (error: unknown) =>
  error instanceof Error && /Exceeded maximum DB size|database or disk is full|SQLITE_FULL/.test(causesOf(error))

/** Whether a Durable Object or database is overloaded or being moved. */
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
  if (failure.status >= 500) log('error', 'request failed', { error })
  for (const [name, value] of Object.entries(failure.headers)) c.header(name, value)
  return c.json(toEnvelope(failure), failure.status)
}

export const invalidBody = (problems: readonly string[]) => new ApiError('invalid_body', 'Invalid request', problems)

export const invalidQuery = (problems: readonly string[]) => new ApiError('invalid_query', 'Invalid request', problems)

export const maxBodyBytes = 64 * 1024

export const maxBodyText = `${maxBodyBytes / 1024} KiB`

export const bodyTooLarge = () =>
  new ApiError('body_too_large', 'Body too large', [`The body may have at most ${maxBodyText}.`])

export const maxBodyMs = 30_000

export const bodyTooLate = () =>
  new ApiError('malformed_body', 'Body too late', [
    `The body did not arrive within ${maxBodyMs / 1000} s. Send it again, or use a faster connection.`,
  ])

export const notJson = () =>
  new ApiError('unsupported_media_type', 'Unsupported media type', [
    'Send the body with Content-Type: application/json.',
  ])

/** Uses the same words in all cases, so that nobody learns which domains or keys exist. */
export const unauthorized = () =>
  new ApiError('unauthorized', 'Unauthorized', [
    'Send two headers: API-KEY with a live key, gt_ and 38 characters as it was shown once, and DOMAIN with the domain of its tenant. They are checked together.',
  ])

/** `most` completes the sentence "At most ...". */
export function tooManyRequests(most: string, waitMs: number, headers: Readonly<Record<string, string>> = {}) {
  const wait = toRetryAfter(waitMs)
  const problem = `At most ${most}; retry in ${wait} s.`
  return new ApiError('rate_limited', 'Too many requests', [problem], { ...headers, 'Retry-After': wait })
}

export const tooManyAtOnce = (problem: string, waitSeconds: number) =>
  new ApiError('rate_limited', 'Too many requests', [problem], { 'Retry-After': String(waitSeconds) })

export const rateLimited = (limit: number, waitMs: number) =>
  tooManyRequests(`${limit} requests per minute`, waitMs, {
    'RateLimit-Remaining': '0',
    'RateLimit-Reset': toRetryAfter(waitMs),
  })

export const changesPerMinute = 60

export const tooManyChanges = (waitMs: number) =>
  tooManyRequests(`${changesPerMinute} changes of an account per minute`, waitMs)

export const invalidToken = () =>
  new ApiError(
    'invalid_token',
    'Invalid or expired token',
    ['Authorization: sign in and send Bearer with data.token.'],
    { 'WWW-Authenticate': 'Bearer' },
  )

export const notOperator = () =>
  new ApiError('unauthorized', 'Unauthorized', ['Authorization: send Bearer with the OPERATOR_TOKEN.'])

export const notFound = () => new ApiError('not_found', 'Not found', ['There is nothing at this path.'])

export const methodNotAllowed = (path: string, method: string, allow: string) =>
  new ApiError('method_not_allowed', 'Method not allowed', [`${boundPath(path)} takes ${allow}, not ${method}.`], {
    Allow: allow,
  })
