import { createRoute } from '@hono/zod-openapi'
import { accountDatabase } from '../platform/db/databases.ts'
import { jsonBody, jsonRequest } from '../platform/http/body.ts'
import { messageSchema, ok, responses } from '../platform/http/envelope.ts'
import { byAnyone, createRouter } from '../platform/http/router.ts'
import { clientAddress, tooManyAttempts } from '../platform/limits/throttle.ts'
import { settingsOf } from '../settings.ts'
import { signedIn, signedInJson } from './authenticate.ts'
import { changePassword, deleteMerchant, signIn, signUp } from './merchant.ts'
import { endAllSessions, issueToken, toHolder } from './token.ts'
import { roleNotAllowed, wrongSignUpCode } from './account-errors.ts'
import * as fields from './account-fields.ts'

const email = 'ann@example.com'
const password = 'a long password'
const merchant = { id: '01890a5d-ac96-774b-bcce-b302099a8057', email, name: 'Ann' }
const limited = tooManyAttempts(42_000)

const signUpRoute = createRoute({
  method: 'post',
  path: '/merchant/sign-up',
  operationId: 'signUp',
  summary: 'Create an account',
  description:
    'An address may send 300 requests a minute, and create 20 accounts in 24 hours unless the operator has changed that. ' +
    'The operator may require a code, or close sign-up.',
  security: byAnyone,
  middleware: [jsonBody] as const,
  request: { body: jsonRequest(fields.newMerchantSchema, { email, password, name: 'Ann', company: 'Ann Ltd' }) },
  responses: responses(fields.merchantSchema, merchant, ['email_taken', wrongSignUpCode(), limited]),
})

const signInRoute = createRoute({
  method: 'post',
  path: '/merchant/sign-in',
  operationId: 'signIn',
  summary: 'Get an access token',
  description:
    'The token is valid for one hour. Failed attempts are limited to 20 a minute per address and email, and to 100 an ' +
    'hour per account.',
  security: byAnyone,
  middleware: [jsonBody] as const,
  request: { body: jsonRequest(fields.credentialsSchema, { email, password }) },
  responses: responses(fields.signedInSchema, { token: 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.…', user: merchant }, [
    'invalid_credentials',
    limited,
  ]),
})

const passwordRoute = createRoute({
  method: 'put',
  path: '/merchant/password',
  operationId: 'changePassword',
  summary: 'Change the password',
  description: 'Ends all sessions and access tokens. API keys stay valid.',
  ...signedInJson,
  request: { body: jsonRequest(fields.passwordChangeSchema, { password, new_password: 'another long password' }) },
  responses: responses(messageSchema, { message: 'The password was changed. Sign in again.' }, [
    'wrong_password',
    limited,
  ]),
})

const signOutRoute = createRoute({
  method: 'post',
  path: '/merchant/sign-out',
  operationId: 'signOut',
  summary: 'End all sessions and access tokens',
  description: 'Also ends dashboard sessions. API keys stay valid.',
  ...signedIn,
  responses: responses(messageSchema, { message: 'All sessions and tokens were ended.' }),
})

const deleteMerchantRoute = createRoute({
  method: 'delete',
  path: '/merchant',
  operationId: 'deleteMerchant',
  summary: 'Delete the account',
  description: 'Deletes the account and all its members. Delete its tenant first.',
  ...signedIn,
  responses: responses(messageSchema, { message: 'The account was deleted.' }, [
    'merchant_has_tenant',
    roleNotAllowed('editor', 'owner'),
  ]),
})

export const merchantRoutes = createRouter()
  .openapi(signUpRoute, async (c) => {
    const owner = await signUp(c.env, { ...c.req.valid('json'), address: clientAddress(c) }, Date.now())
    return ok(c, fields.toMerchantResponse(owner))
  })
  .openapi(signInRoute, async (c) => {
    const member = await signIn(c.env, { ...c.req.valid('json'), address: clientAddress(c) })
    const token = await issueToken(toHolder(member), settingsOf(c.env), Date.now())
    return ok(c, { token, user: fields.toMerchantResponse(member) })
  })
  .openapi(passwordRoute, async (c) => {
    const { memberId, email } = c.var.merchant
    const { password, new_password: newPassword } = c.req.valid('json')
    const change = { email, password, newPassword, address: clientAddress(c) }
    await changePassword(c.env, memberId, change, Date.now())
    return ok(c, { message: 'The password was changed. Sign in again.' })
  })
  .openapi(signOutRoute, async (c) => {
    await endAllSessions(accountDatabase(c.env), c.var.merchant.memberId)
    return ok(c, { message: 'All sessions and tokens were ended.' })
  })
  .openapi(deleteMerchantRoute, async (c) => {
    await deleteMerchant(c.env, c.var.merchant.id, Date.now())
    return ok(c, { message: 'The account was deleted.' })
  })
