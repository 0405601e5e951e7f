import type { z } from '@hono/zod-openapi'
import { bodyLimit } from 'hono/body-limit'
import { createMiddleware } from 'hono/factory'
import { bodyTooLarge, notJson } from './common-errors.ts'
import type { AppEnv } from './router.ts'

const maxBodyBytes = 64 * 1024

const limitBody = bodyLimit({
  maxSize: maxBodyBytes,
  onError: () => {
    throw bodyTooLarge()
  },
})

/** Accepts a JSON body of at most 64 KiB. */
export const jsonBody = createMiddleware<AppEnv>(async (c, next) => {
  if (!/^application\/json\s*(;|$)/i.test(c.req.header('content-type') ?? '')) throw notJson()
  return await limitBody(c, next)
})

/** The same where a request may have none: then it counts as `{}`. */
export const optionalJsonBody = createMiddleware<AppEnv>(async (c, next) => {
  if (c.req.header('content-type') === undefined) return await next()
  return await jsonBody(c, next)
})

/** The `request.body` of a route that takes `schema`, with an example for its description. */
export const jsonRequest = <T extends z.ZodType>(schema: T, example: z.input<T>) => ({
  required: true as const,
  content: { 'application/json': { schema, example } },
})
