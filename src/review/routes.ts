import { createRoute, z } from '@hono/zod-openapi'
import { openDatabase } from '../db/client.ts'
import { garmentResultSchema, garmentUuid } from '../garment/fields.ts'
import { garmentResult } from '../garment/result.ts'
import { tenantGate } from '../gate/middleware.ts'
import { jsonBody, jsonRequest } from '../http/body.ts'
import { ok, responses } from '../http/envelope.ts'
import { createRouter } from '../http/router.ts'
import { settingsOf } from '../settings.ts'
import { correctGarment } from './correct-garment.ts'
import { correctionRequest } from './fields.ts'

const correctRoute = createRoute({
  method: 'patch',
  path: '/garment-tagging/garment',
  middleware: [tenantGate, jsonBody] as const,
  request: { query: z.object({ uuid: garmentUuid }), body: jsonRequest(correctionRequest) },
  responses: responses(garmentResultSchema, {
    400: 'An invalid key or value',
    401: 'Unauthorized',
    404: 'Garment not found',
    409: 'The garment is not complete',
    429: 'Too many requests',
  }),
})

export const reviewRoutes = createRouter().openapi(correctRoute, async (c) => {
  const { uuid } = c.req.valid('query')
  c.set('uuid', uuid)
  const correction = { uuid, patch: c.req.valid('json'), by: { kind: 'api-key', id: c.var.apiKeyId } } as const
  const deps = { db: openDatabase(c.env.DB), webhookQueue: c.env.WEBHOOK_QUEUE }
  const garment = await correctGarment(deps, c.var.tenantId, correction, Date.now())
  return ok(c, garmentResult(garment, settingsOf(c.env).PUBLIC_URL))
})
