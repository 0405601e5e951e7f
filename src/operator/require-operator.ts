import { createMiddleware } from 'hono/factory'
import { notFound, notOperator } from '../http/common-errors.ts'
import type { AppEnv } from '../http/router.ts'
import { settingsOf } from '../settings.ts'

const digest = async (text: string) => await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))

/** Lets the operator through. Without the setting there is nothing at these paths, whatever token is sent. */
export const requireOperator = createMiddleware<AppEnv>(async (c, next) => {
  const { OPERATOR_TOKEN } = settingsOf(c.env)
  if (OPERATOR_TOKEN === undefined) throw notFound()
  const token = /^Bearer (.+)$/i.exec(c.req.header('authorization') ?? '')?.[1] ?? ''
  // Digests are compared, because a comparison in constant time needs equal lengths.
  if (!crypto.subtle.timingSafeEqual(await digest(token), await digest(OPERATOR_TOKEN))) throw notOperator()
  await next()
})
