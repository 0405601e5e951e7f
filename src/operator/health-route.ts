import { createRoute, z } from '@hono/zod-openapi'
import { ok, responses } from '../http/envelope.ts'
import { byAnyone } from '../http/openapi/security.ts'
import { createRouter } from '../http/router.ts'
import { notHealthy } from './errors.ts'
import { checkHealth } from './health.ts'

const healthRoute = createRoute({
  method: 'get',
  path: '/health',
  operationId: 'checkHealth',
  summary: 'Ask whether the service answers',
  description:
    'For monitors. With `deep=1` it also fails when the database does not respond, or when the background work of a ' +
    'database has not run for three minutes.',
  tags: ['Health'],
  security: byAnyone,
  request: { query: z.object({ deep: z.string('must be given once').optional().openapi({ example: '1' }) }) },
  responses: responses(z.object({}), {}, [notHealthy('The database does not respond.')]),
})

export const healthRoutes = createRouter().openapi(healthRoute, async (c) => {
  if (c.req.valid('query').deep !== undefined) await checkHealth(c.env, Date.now())
  return ok(c, {})
})
