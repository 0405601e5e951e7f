import { createRoute, z } from '@hono/zod-openapi'
import { garmentNotFound } from '../garment/errors/garment-errors.ts'
import { completeGarment } from '../garment/examples.ts'
import { garmentResultSchema, garmentUuid } from '../garment/fields.ts'
import { garmentVersion, toGarmentResponse } from '../garment/to-garment-response.ts'
import { tenantGate } from '../gate/middleware.ts'
import { jsonBody, jsonRequest } from '../http/body.ts'
import { ok, responses } from '../http/envelope.ts'
import { byApiKey } from '../http/openapi/security.ts'
import { createRouter } from '../http/router.ts'
import { quotaExceeded } from '../quota/errors.ts'
import { settingsOf } from '../settings.ts'
import type { Attribute } from '../vision/tagging.ts'
import { withListing } from './attribute-names.ts'
import { correctGarment } from './correct-garment.ts'
import { garmentChanged, garmentNotComplete, invalidCorrection, staleGarment } from './errors.ts'
import { correctionRequest } from './fields.ts'
import { correctionDeps } from './store-correction.ts'

const correctRoute = createRoute({
  method: 'patch',
  path: '/garment-tagging/garment',
  operationId: 'correctGarment',
  summary: 'Correct or confirm values of a garment, describe one that failed, or change its attributes',
  description:
    'Tags take values of the taxonomy (`Brand` and `Material` any text), measurements centimetres. The current value ' +
    'confirms, null removes a correction. A corrected value has the confidence `High` and is listed in `corrected`. ' +
    'After a change of `Item Type` the picture is measured again in the background, and the values that depend on the type ' +
    'follow. A garment that failed is described by hand with its `Item Type` and `Colour`; it is then complete, without an ' +
    'annotated picture. ' +
    '`lines` moves, adds or takes out measuring lines; their lengths follow at once and the annotated picture in the ' +
    'background. `attribute` changes what you supplied with the upload: the tag and the description follow at once; after a change of ' +
    "`Gender`, `Material`, `Studio`, or `Size` of children's clothes the picture is tagged again, " +
    'so that measurements and fabric follow too. ' +
    '`listing` changes price, title and the other values of a listing, which are attributes too. ' +
    'With `If-Match` and the `ETag` of the query, nothing is changed if somebody else has changed the garment since.',
  tags: ['Garments'],
  security: byApiKey,
  middleware: [tenantGate, jsonBody] as const,
  request: {
    query: z.object({ uuid: garmentUuid }),
    headers: z.object({ 'if-match': z.string().max(1000, 'must be at most 1000 characters').optional() }),
    body: jsonRequest(correctionRequest, {
      tag: { Colour: 'Navy' },
      measurements: { 'Chest (cm)': 51.5 },
      lines: { Hem: { from: [843, 2602], to: [2160, 2598] } },
      attribute: { Brand: 'Ann' },
      listing: { price: '12.50', stock: '1' },
    }),
  },
  responses: responses(garmentResultSchema, { ...completeGarment, corrected: ['Colour', 'Chest (cm)'] }, [
    garmentNotFound(),
    invalidCorrection(['tag.Colour: must be one of Black, White, Grey, …']),
    garmentNotComplete('processing'),
    garmentChanged(),
    staleGarment(),
    quotaExceeded('text_bytes', 200_000_000),
  ]),
})

export const correctionRoutes = createRouter().openapi(correctRoute, async (c) => {
  const { uuid } = c.req.valid('query')
  c.set('uuid', uuid)
  const { 'if-match': ifMatch } = c.req.valid('header')
  const { attribute, listing, ...values } = c.req.valid('json')
  const patch = { ...values, attribute: (current: Attribute) => withListing(current, attribute, listing) }
  const correction = { uuid, ifMatch, patch, by: { kind: 'api-key', id: c.var.apiKeyId, name: '' } } as const
  const garment = await correctGarment(correctionDeps(c.env, c.var.tenantId), c.var.tenantId, correction, Date.now())
  c.header('ETag', await garmentVersion(garment))
  return ok(c, toGarmentResponse(garment, settingsOf(c.env).PUBLIC_URL))
})
