import type { z } from '@hono/zod-openapi'
import { bodyLimit } from 'hono/body-limit'
import { createMiddleware } from 'hono/factory'
import { withDeadline } from '../limits/deadline.ts'
import { bodyTooLarge, bodyTooLate, maxBodyBytes, maxBodyMs, notJson } from './errors.ts'
import type { AppEnv } from './router.ts'
import { checkJson, readText } from './text.ts'

const limitBody = bodyLimit({
  maxSize: maxBodyBytes,
  onError: () => {
    throw bodyTooLarge()
  },
})

const isJson = (contentType = '') => /^application\/json\s*(;|$)/i.test(contentType)

/** Accepts a JSON body of at most 64 KiB. */
export const jsonBody = createMiddleware<AppEnv>(async (c, next) => {
  if (!isJson(c.req.header('content-type'))) throw notJson()
  c.req.raw = withDeadline(c.req.raw, maxBodyMs, bodyTooLate)
  return await limitBody(c, async () => {
    checkJson(await readText(c.req))
    await next()
  })
})

/** Accepts a JSON body of at most 64 KiB, or none. A missing body counts as `{}`. */
export const optionalJsonBody = createMiddleware<AppEnv>(async (c, next) => {
  c.req.raw = withDeadline(c.req.raw, maxBodyMs, bodyTooLate)
  return await limitBody(c, async () => {
    const { raw } = c.req
    const body = await readText(c.req)
    if (body !== '' && !isJson(c.req.header('content-type'))) throw notJson()
    checkJson(body)
    const headers = new Headers(raw.headers)
    headers.set('Content-Type', 'application/json')
    headers.delete('Content-Length')
    c.req.bodyCache = {}
    c.req.raw = new Request(raw.url, { method: raw.method, headers, body: body === '' ? '{}' : body })
    await next()
  })
})

export const jsonRequest = <T extends z.ZodType>(schema: T, example: z.input<T>) => ({
  required: true as const,
  content: { 'application/json': { schema, example } },
})
