import { createRoute } from '@hono/zod-openapi'
import { openDatabase } from '../db/client.ts'
import { jsonBody, jsonRequest } from '../http/body.ts'
import { messageSchema, ok, responses } from '../http/envelope.ts'
import { createRouter } from '../http/router.ts'
import { everyTenant } from '../pause/is-paused.ts'
import { putPause } from '../pause/put-pause.ts'
import { pauseRequest, pauseSchema, retagRequest } from './fields.ts'
import { getStatus, statusSchema } from './get-status.ts'
import { startRetag } from './start-retag.ts'
import { requireOperator } from './require-operator.ts'

/** Left out of the public description, since without the setting the endpoints do not exist. */
const hide = true

const refusals = { 401: 'Not the operator', 404: 'OPERATOR_TOKEN is not set' }

const statusRoute = createRoute({
  method: 'get',
  path: '/status',
  hide,
  middleware: [requireOperator] as const,
  responses: responses(statusSchema, refusals),
})

const pauseRoute = createRoute({
  method: 'put',
  path: '/operator/pause',
  hide,
  middleware: [requireOperator, jsonBody] as const,
  request: { body: jsonRequest(pauseRequest) },
  responses: responses(pauseSchema, refusals),
})

const retagRoute = createRoute({
  method: 'post',
  path: '/operator/retag',
  hide,
  middleware: [requireOperator, jsonBody] as const,
  request: { body: jsonRequest(retagRequest) },
  responses: responses(messageSchema, refusals),
})

export const operatorRoutes = createRouter()
  .openapi(statusRoute, async (c) => ok(c, await getStatus(openDatabase(c.env.DB), Date.now())))
  .openapi(pauseRoute, async (c) => {
    const {
      tenantId: id,
      tagging,
      deliveries,
    } = await putPause(openDatabase(c.env.DB), c.req.valid('json'), Date.now())
    return ok(c, { tenant: id === everyTenant ? null : id, tagging, deliveries })
  })
  .openapi(retagRoute, async (c) => {
    const { from, to, tenant } = c.req.valid('json')
    await startRetag(openDatabase(c.env.DB), { fromMs: Date.parse(from), toMs: Date.parse(to), tenant })
    return ok(c, { message: 'The garments of this range are being tagged again, 100 a minute.' })
  })
