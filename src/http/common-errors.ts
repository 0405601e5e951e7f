import { boundPath } from '../bounds/bound-text.ts'
import { ApiError } from './errors.ts'
import { toRetryAfter } from './retry-after.ts'

/** The failures that all endpoints with the same kind of input or credentials have in common. */

export const invalidBody = (problems: readonly string[]) => new ApiError('invalid_body', 'Invalid request', problems)

export const invalidQuery = (problems: readonly string[]) => new ApiError('invalid_query', 'Invalid request', problems)

/** Of a JSON body, and of a form without a file. */
export const maxBodyBytes = 64 * 1024

/** The limit as texts write it. */
export const maxBodyText = `${maxBodyBytes / 1024} KiB`

export const bodyTooLarge = () =>
  new ApiError('body_too_large', 'Body too large', [`The body may have at most ${maxBodyText}.`])

/** For it to arrive. */
export const maxBodyMs = 30_000

export const bodyTooLate = () =>
  new ApiError('malformed_body', 'Body too late', [
    `The body did not arrive within ${maxBodyMs / 1000} s; send it again, or use a faster connection.`,
  ])

export const notJson = () =>
  new ApiError('unsupported_media_type', 'Unsupported media type', [
    'Send the body with Content-Type: application/json.',
  ])

/** The same words in all cases, so that they do not reveal which domains or keys exist. */
export const unauthorized = () =>
  new ApiError('unauthorized', 'Unauthorized', [
    'API-KEY and DOMAIN must be a live API key and the domain of its tenant.',
  ])

/** `most` is the limit as a sentence says it; `headers` go beside `Retry-After`. */
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

/** Of an account, through the API for merchants. */
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
