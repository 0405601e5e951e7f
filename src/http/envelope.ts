import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'

/** Success is always HTTP 200 with the text `success!`. */
export function ok<T extends object>(c: Context, data: T) {
  return c.json({ status: true, data, error: [] as string[], message: 'success!' }, 200)
}

const envelope = <T extends z.ZodType>(data: T) =>
  z.object({ status: z.boolean(), data, error: z.array(z.string()), message: z.string() })

/** The data of an endpoint that returns only a sentence. */
export const messageSchema = z.object({ message: z.string() })

const failureSchema = envelope(z.object({})).openapi('Failure')

/** The `responses` of a route: 200 with `data`, and a failure envelope for each further status. */
export function responses<T extends z.ZodType>(data: T, failures: Readonly<Record<number, string>>) {
  const failed = Object.entries(failures).map(([status, description]) => [
    status,
    { description, content: { 'application/json': { schema: failureSchema } } },
  ])
  return {
    200: { description: 'success!', content: { 'application/json': { schema: envelope(data) } } },
    ...(Object.fromEntries(failed) as Record<never, never>),
  }
}
