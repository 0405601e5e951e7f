import { z } from '@hono/zod-openapi'
import type { Context, TypedResponse } from 'hono'
import type { JSONParsed } from 'hono/utils/types'
import { ApiError, type ErrorCode, errorCodes, toEnvelope } from './errors.ts'

interface Success<T> {
  status: true
  data: T
  error: string[]
  message: 'success!'
}

// A named type, because the inferred one is too long for the client's declarations.
type OkResponse<T> = Response & TypedResponse<JSONParsed<Success<T>>, 200, 'json'>

export function ok<T extends object>(c: Context, data: T): OkResponse<T> {
  const answer: Success<T> = { status: true, data, error: [], message: 'success!' }
  return c.json(answer, 200)
}

/** The envelope around data that is JSON already, so that large pages are not serialised twice. */
export const dataEnvelope = { start: '{"status":true,"data":', end: ',"error":[],"message":"success!"}' }

const successEnvelope = <T extends z.ZodType>(data: T) =>
  z.object({ status: z.literal(true), data, error: z.array(z.string()).max(0), message: z.literal('success!') })

export const messageSchema = z.object({ message: z.string() })

const failureSchema = z
  .object({
    status: z.literal(false),
    data: z.object({}),
    error: z.array(z.string()).min(1).openapi({ description: 'What to fix, one sentence for each problem.' }),
    message: z.string().openapi({ description: 'A short description of the failure.' }),
    code: z
      .enum(Object.keys(errorCodes) as ErrorCode[])
      .openapi({ description: 'The failure for programs, one of a closed list.' }),
  })
  .openapi('Failure')

/** Failures of one endpoint, each as an example or a code. */
export type Failures = readonly (ApiError | ErrorCode)[]

export const failureResponses = (causes: Failures) => describeFailures(causes, failureSchema)

/** Builds the responses to failures by status, with one example per cause. */
export function describeFailures<T>(causes: Failures, schema: T) {
  const describe = (same: readonly ApiError[]) => ({
    description: same.map(({ message }) => message).join('; '),
    content: {
      'application/json': {
        schema,
        examples: Object.fromEntries(
          same.map((cause) => [nameOf(cause), { summary: cause.message, value: toEnvelope(cause) }]),
        ),
      },
    },
  })
  const failures = causes.map((cause) => (typeof cause === 'string' ? new ApiError(cause) : cause))
  const byStatus = Map.groupBy(failures, ({ status }) => status)
  return Object.fromEntries(Array.from(byStatus, ([status, same]) => [status, describe(same)]))
}

const nameOf = ({ message }: ApiError) => message.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')

/**
 * Builds a route's `responses`: 200 with an example, and the failures that only this route has. `openapi.ts` adds the
 * failures that its kind of endpoint shares.
 */
export function responses<T extends z.ZodType>(data: T, example: z.output<T>, failures: Failures = []) {
  return {
    200: {
      description: 'success!',
      content: {
        'application/json': {
          schema: successEnvelope(data),
          example: { status: true, data: example, error: [], message: 'success!' },
        },
      },
    },
    ...(failureResponses(failures) as Record<never, never>),
  }
}
