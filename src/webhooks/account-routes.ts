import { createRoute } from '@hono/zod-openapi'
import { accountDatabase } from '../platform/db/databases.ts'
import { jsonBody, jsonRequest } from '../platform/http/body.ts'
import { messageSchema, ok, responses } from '../platform/http/envelope.ts'
import { byAccessToken, createRouter } from '../platform/http/router.ts'
import { authenticate } from '../accounts/authenticate.ts'
import { roleNotAllowed } from '../accounts/errors.ts'
import { tooManyAttempts } from '../platform/limits/throttle.ts'
import { invalidConfig, webhookNotConfigured } from './errors.ts'
import * as examples from './fields.ts'
import { testResultSchema } from './fields.ts'
import { toTestResponse } from './deliveries/delivery-routes.ts'
import * as fields from './account-fields.ts'
import { deleteAccountWebhook, findAccountWebhook, putAccountWebhook, renewAccountSecret } from './account-webhook.ts'
import { listAccountDeliveries } from './list-account-deliveries.ts'
import { accountWebhookDeps, testAccountWebhook } from './test-account-webhook.ts'
import { toAccountDelivery, toAccountWebhook } from './to-account-response.ts'

const path = '/merchant/webhook'
const tags = ['Accounts']
const security = byAccessToken
const notAllowed = roleNotAllowed('editor', 'owner')
const example = { url: 'https://ops.example.com/hooks', enabled: true }
const { secret } = examples.config

const getRoute = createRoute({
  method: 'get',
  path,
  operationId: 'getAccountWebhook',
  summary: "Get the account's webhook",
  description: 'It reports what happens to the account: endpoints that fail, quotas that are nearly reached, API keys.',
  tags,
  security,
  middleware: [authenticate] as const,
  responses: responses(fields.accountWebhookSchema, example, [notAllowed]),
})

const putRoute = createRoute({
  method: 'put',
  path,
  operationId: 'putAccountWebhook',
  summary: "Configure the account's webhook",
  description: 'The first time, the response has the secret that signs its events. It is shown only then.',
  tags,
  security,
  middleware: [authenticate, jsonBody] as const,
  request: { body: jsonRequest(fields.accountWebhookRequest, { url: example.url }) },
  responses: responses(fields.storedAccountWebhookSchema, { ...example, secret }, [
    invalidConfig(['url: must be an https URL']),
    notAllowed,
  ]),
})

const deleteRoute = createRoute({
  method: 'delete',
  path,
  operationId: 'deleteAccountWebhook',
  summary: "Delete the account's webhook",
  description: 'What is pending for it ends.',
  tags,
  security,
  middleware: [authenticate] as const,
  responses: responses(messageSchema, { message: 'The webhook was deleted.' }, [notAllowed]),
})

const secretRoute = createRoute({
  method: 'post',
  path: `${path}/secret`,
  operationId: 'renewAccountWebhookSecret',
  summary: "Renew the secret of the account's webhook",
  description: 'It is in this response only. The previous one also signs for 24 hours.',
  tags,
  security,
  middleware: [authenticate] as const,
  responses: responses(fields.accountSecretSchema, { secret }, [
    webhookNotConfigured('renewing its secret'),
    notAllowed,
  ]),
})

const testRoute = createRoute({
  method: 'post',
  path: `${path}/test`,
  operationId: 'testAccountWebhook',
  summary: "Send a test event to the account's webhook now",
  description: "One attempt to deliver `webhook.test`. The receiver's answer is the result. At most 20 a minute.",
  tags,
  security,
  middleware: [authenticate] as const,
  responses: responses(testResultSchema, examples.testResult, [
    webhookNotConfigured(),
    tooManyAttempts(42_000),
    notAllowed,
  ]),
})

const deliveriesRoute = createRoute({
  method: 'get',
  path: `${path}/deliveries`,
  operationId: 'listAccountWebhookDeliveries',
  summary: "List the latest deliveries to the account's webhook",
  description: 'At most 50, newest first.',
  tags,
  security,
  middleware: [authenticate] as const,
  responses: responses(
    fields.accountDeliveriesSchema,
    {
      deliveries: [
        {
          id: examples.delivery.uuid,
          event: 'api_key.created' as const,
          created_at: examples.delivery.created_at,
          status: 'delivered' as const,
          attempt_count: 1,
          next_attempt_at: null,
          last_error: '',
          response_status: 204,
        },
      ],
    },
    [notAllowed],
  ),
})

export const accountWebhookRoutes = createRouter()
  .openapi(getRoute, async (c) =>
    ok(c, toAccountWebhook(await findAccountWebhook(accountDatabase(c.env), c.var.merchant.id))),
  )
  .openapi(putRoute, async (c) => {
    const { id, actor } = c.var.merchant
    const webhook = c.req.valid('json')
    const created = await putAccountWebhook(accountWebhookDeps(c.env, c.req.url), id, webhook, Date.now(), actor)
    return ok(c, { ...webhook, ...(created !== null && { secret: created }) })
  })
  .openapi(deleteRoute, async (c) => {
    const { id, actor } = c.var.merchant
    await deleteAccountWebhook(accountWebhookDeps(c.env, c.req.url), id, Date.now(), actor)
    return ok(c, { message: 'The webhook was deleted.' })
  })
  .openapi(secretRoute, async (c) => {
    const { id, actor } = c.var.merchant
    return ok(c, { secret: await renewAccountSecret(accountWebhookDeps(c.env, c.req.url), id, Date.now(), actor) })
  })
  .openapi(testRoute, async (c) => {
    return ok(c, toTestResponse(await testAccountWebhook(c.env, c.var.merchant.id, c.req.url)))
  })
  .openapi(deliveriesRoute, async (c) => {
    const rows = await listAccountDeliveries(accountDatabase(c.env), c.var.merchant.id)
    return ok(c, { deliveries: rows.map(toAccountDelivery) })
  })
