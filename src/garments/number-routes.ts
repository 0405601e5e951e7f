import { createRoute, z } from '@hono/zod-openapi'
import { gatedJson } from '../accounts/gate.ts'
import { jsonRequest } from '../platform/http/body.ts'
import { ok, responses } from '../platform/http/envelope.ts'
import { createRouter } from '../platform/http/router.ts'
import { maxLabelsAtOnce, reserveNumbers, tooManyReserved } from './reserve-numbers.ts'

const numbersRequest = z.object({
  count: z.int().min(1).max(maxLabelsAtOnce).openapi({ description: 'How many numbers to reserve.' }),
})

export const numbersResponse = z.object({
  numbers: z.array(z.int().positive()).openapi({ description: 'The reserved stock numbers, in ascending order.' }),
})

const reserveRoute = createRoute({
  method: 'post',
  path: '/garment-tagging/numbers',
  operationId: 'reserveNumbers',
  summary: 'Reserve stock numbers for garments that do not exist yet',
  description:
    'Use them for labels that you print before you photograph the garments. An upload can take a reserved number with ' +
    '`number`. At most 10,000 reserved numbers can be unused. Each call reserves further numbers.',
  ...gatedJson,
  request: { body: jsonRequest(numbersRequest, { count: 40 }) },
  responses: responses(numbersResponse, { numbers: [41, 42, 43] }, [tooManyReserved()]),
})

export const numberRoutes = createRouter().openapi(reserveRoute, async (c) => {
  const { count } = c.req.valid('json')
  return ok(c, { numbers: await reserveNumbers(c.var.db, c.var.tenantId, count) })
})
