import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'

/** Success is always HTTP 200 with the text `success!`. */
export function ok<T extends object>(c: Context, data: T) {
  return c.json({ status: true as const, data, error: [] as string[], message: 'success!' as const }, 200)
}

const successEnvelope = <T extends z.ZodType>(data: T) =>
  z.object({ status: z.literal(true), data, error: z.array(z.string()).max(0), message: z.literal('success!') })

/** The data of an endpoint that returns only a sentence. */
export const messageSchema = z.object({ message: z.string() })

const failureSchema = z
  .object({
    status: z.literal(false),
    data: z.object({}),
    error: z.array(z.string()).min(1).openapi({ description: 'What to fix, one sentence for each problem.' }),
    message: z.string().openapi({ description: 'A short description of the failure.' }),
  })
  .openapi('Failure')

/** One cause of a failure: its `message`, and an example of the sentences in `error`. */
type FailureExample = readonly [message: string, ...error: string[]]

/** By status, the causes of failure that are particular to an endpoint. */
export type Failures = Readonly<Record<number, readonly FailureExample[]>>

/** The response of a failure status, with one example for each cause. */
export const failureResponse = (causes: readonly FailureExample[]) => describeFailure(causes, failureSchema)

/** `schema` is that of a failure, or a reference to it. */
export const describeFailure = <T>(causes: readonly FailureExample[], schema: T) => ({
  description: causes.map(([message]) => message).join('; '),
  content: {
    'application/json': {
      schema,
      examples: Object.fromEntries(
        causes.map(([message, ...error]) => [
          message.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'),
          { summary: message, value: { status: false, data: {}, error, message } },
        ]),
      ),
    },
  },
})

/**
 * The `responses` of a route: 200 with an example of its data, and the failures that are particular to it. What can
 * happen to every endpoint of its kind is added by `complete-operation.ts`.
 */
export function responses<T extends z.ZodType>(data: T, example: z.output<T>, failures: Failures = {}) {
  const failed = Object.entries(failures).map(([status, causes]) => [status, failureResponse(causes)])
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
    ...(Object.fromEntries(failed) as Record<never, never>),
  }
}
