import { createRoute, z } from '@hono/zod-openapi'
import { byKey } from '../audit/record-entry.ts'
import { tenantDatabase } from '../db/databases/find-database.ts'
import { garmentNotFound } from '../garment/errors/garment-errors.ts'
import { garmentUuid } from '../garment/fields.ts'
import { tenantGate } from '../gate/middleware.ts'
import { messageSchema, ok, responses } from '../http/envelope.ts'
import { byApiKey } from '../http/openapi/security.ts'
import { createRouter } from '../http/router.ts'
import { deleteGarment } from './delete-garment.ts'

const message = 'The garment was deleted.'

const deleteRoute = createRoute({
  method: 'delete',
  path: '/garment-tagging/garment',
  operationId: 'deleteGarment',
  summary: 'Delete a garment',
  description:
    'In any state. Its annotated picture, its uploaded file and its deliveries are removed, and it counts no ' +
    'longer against the quotas. A later upload of its uuid is a new garment.',
  tags: ['Garments'],
  security: byApiKey,
  middleware: [tenantGate] as const,
  request: { query: z.object({ uuid: garmentUuid }) },
  responses: responses(messageSchema, { message }, [garmentNotFound()]),
})

export const deletionRoutes = createRouter().openapi(deleteRoute, async (c) => {
  const { uuid } = c.req.valid('query')
  c.set('uuid', uuid)
  const { tenantId } = c.var
  const deps = {
    db: tenantDatabase(c.env, tenantId),
    pictures: c.env.PICTURES,
    taggingQueue: c.env.TAGGING_QUEUE,
    webhookQueue: c.env.WEBHOOK_QUEUE,
  }
  await deleteGarment(deps, tenantId, uuid, Date.now(), byKey(c.var.apiKeyId))
  return ok(c, { message })
})
