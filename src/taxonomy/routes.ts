import { createRoute } from '@hono/zod-openapi'
import { tenantGate } from '../gate/middleware.ts'
import { ok, responses } from '../http/envelope.ts'
import { byApiKey } from '../http/openapi/security.ts'
import { createRouter } from '../http/router.ts'
import { taxonomySchema } from './fields.ts'
import { getTaxonomy } from './get-taxonomy.ts'

const { attributes, item_types, ...rest } = getTaxonomy()

const taxonomyRoute = createRoute({
  method: 'get',
  path: '/garment-tagging/taxonomy',
  operationId: 'getTaxonomy',
  summary: 'Get the attributes, their values, the item types and the points of measure',
  description: 'What results can say, and corrections can give. It changes with the version of the tagger only.',
  tags: ['Garments'],
  security: byApiKey,
  middleware: [tenantGate] as const,
  responses: responses(taxonomySchema, {
    attributes: attributes.filter(({ name }) => name === 'Pattern'),
    item_types: item_types.slice(0, 1),
    ...rest,
  }),
})

export const taxonomyRoutes = createRouter().openapi(taxonomyRoute, (c) => ok(c, getTaxonomy()))
