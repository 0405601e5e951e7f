import { createRoute } from '@hono/zod-openapi'
import { openDatabase } from '../db/client.ts'
import { jsonBody, jsonRequest } from '../http/body.ts'
import { messageSchema, ok, responses } from '../http/envelope.ts'
import { createRouter } from '../http/router.ts'
import { settingsOf } from '../settings.ts'
import { authenticate } from './authenticate.ts'
import { changePassword } from './change-password.ts'
import { clientAddress } from './client-address.ts'
import { deleteMerchant } from './delete-merchant.ts'
import { endAllSessions } from './end-sessions.ts'
import * as fields from './fields.ts'
import { signIn } from './sign-in.ts'
import { signUp } from './sign-up.ts'
import { issueToken } from './token.ts'

const unauthorized = { 401: 'Invalid or expired token' }

const signUpRoute = createRoute({
  method: 'post',
  path: '/merchant/sign-up',
  middleware: [jsonBody] as const,
  request: { body: jsonRequest(fields.newMerchantSchema) },
  responses: responses(fields.merchantSchema, {
    400: 'Email already exists, or an invalid field',
    429: 'Too many sign-ups from this address',
  }),
})

const signInRoute = createRoute({
  method: 'post',
  path: '/merchant/sign-in',
  middleware: [jsonBody] as const,
  request: { body: jsonRequest(fields.credentialsSchema) },
  responses: responses(fields.signedInSchema, { 401: 'Invalid credentials', 429: 'Too many failed attempts' }),
})

const passwordRoute = createRoute({
  method: 'put',
  path: '/merchant/password',
  middleware: [authenticate, jsonBody] as const,
  request: { body: jsonRequest(fields.passwordChangeSchema) },
  responses: responses(messageSchema, {
    400: 'The current password is wrong, or the new one is invalid',
    ...unauthorized,
    429: 'Too many failed attempts',
  }),
})

const signOutRoute = createRoute({
  method: 'post',
  path: '/merchant/sign-out',
  middleware: [authenticate] as const,
  responses: responses(messageSchema, unauthorized),
})

const deleteMerchantRoute = createRoute({
  method: 'delete',
  path: '/merchant',
  middleware: [authenticate] as const,
  responses: responses(messageSchema, { ...unauthorized, 409: 'The merchant has a tenant' }),
})

export const merchantRoutes = createRouter()
  .openapi(signUpRoute, async (c) => {
    const merchant = await signUp(c.env, { ...c.req.valid('json'), address: clientAddress(c) }, Date.now())
    return ok(c, fields.toMerchantResponse(merchant))
  })
  .openapi(signInRoute, async (c) => {
    const merchant = await signIn(c.env, { ...c.req.valid('json'), address: clientAddress(c) })
    const token = await issueToken(merchant, settingsOf(c.env), Date.now())
    return ok(c, { token, user: fields.toMerchantResponse(merchant) })
  })
  .openapi(passwordRoute, async (c) => {
    const { id, email } = c.var.merchant
    const { password, new_password: newPassword } = c.req.valid('json')
    await changePassword(c.env, id, { email, password, newPassword, address: clientAddress(c) })
    return ok(c, { message: 'The password was changed. Sign in again.' })
  })
  .openapi(signOutRoute, async (c) => {
    await endAllSessions(openDatabase(c.env.DB), c.var.merchant.id)
    return ok(c, { message: 'All sessions and tokens were ended.' })
  })
  .openapi(deleteMerchantRoute, async (c) => {
    await deleteMerchant(openDatabase(c.env.DB), c.var.merchant.id)
    return ok(c, { message: 'The account was deleted.' })
  })
