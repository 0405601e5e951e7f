import { createRoute, z } from '@hono/zod-openapi'
import { createMiddleware } from 'hono/factory'
import { openDatabase } from '../db/client.ts'
import { settingsOf } from '../settings.ts'
import { jsonBody, jsonRequest } from '../http/body.ts'
import { ok, responses } from '../http/envelope.ts'
import { createRouter, type AppEnv } from '../http/router.ts'
import { credentialsSchema, newMerchantSchema } from './fields.ts'
import { signIn } from './sign-in.ts'
import { signUp } from './sign-up.ts'
import { clientAddress, throttleGuessing } from './throttle-guessing.ts'

const throttleAddress = createMiddleware<AppEnv>(async (c, next) => {
  await throttleGuessing(c.env, `address:${clientAddress(c)}`)
  await next()
})

const signUpRoute = createRoute({
  method: 'post',
  path: '/merchant/sign-up',
  middleware: [throttleAddress, jsonBody] as const,
  request: { body: jsonRequest(newMerchantSchema) },
  responses: responses(z.object({ id: z.string(), email: z.string(), name: z.string() }), {
    400: 'Email already exists, or an invalid field',
    429: 'Too many attempts from this address',
  }),
})

const signInRoute = createRoute({
  method: 'post',
  path: '/merchant/sign-in',
  middleware: [throttleAddress, jsonBody] as const,
  request: { body: jsonRequest(credentialsSchema) },
  responses: responses(
    z.object({ token: z.string(), user: z.object({ id: z.string(), email: z.string(), name: z.string() }) }),
    { 401: 'Invalid credentials', 429: 'Too many attempts' },
  ),
})

export const merchantRoutes = createRouter()
  .openapi(signUpRoute, async (c) => ok(c, await signUp(openDatabase(c.env.DB), c.req.valid('json'), Date.now())))
  .openapi(signInRoute, async (c) => {
    const credentials = c.req.valid('json')
    await throttleGuessing(c.env, `email:${credentials.email}`)
    return ok(c, await signIn(openDatabase(c.env.DB), credentials, settingsOf(c.env).JWT_SECRET, Date.now()))
  })
