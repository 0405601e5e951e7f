import { createRoute, z } from '@hono/zod-openapi'
import { byKey } from '../../accounts/audit.ts'
import { fieldSentences, maxKeyLength } from '../../platform/http/validation.ts'
import {
  changedImagesSchema,
  correctionMeasurements,
  correctionProperties,
  garmentResultSchema,
  garmentUuid,
} from '../garment-fields.ts'
import { acceptImages } from '../accept-upload.ts'
import { tooManyWaiting } from '../garment-errors.ts'
import { completeGarment } from '../garment-example.ts'
import { garmentVersion, toGarmentResponse } from '../garment.ts'
import { gatedJson } from '../../accounts/gate.ts'
import { jsonRequest } from '../../platform/http/body.ts'
import { ok, responses } from '../../platform/http/envelope.ts'
import { createRouter } from '../../platform/http/router.ts'
import { quotaExceeded } from '../../accounts/quotas.ts'
import { labelKeys } from '../../labels/understanding/understand-label.ts'
import { settingsOf } from '../../settings.ts'
import type { Attribute } from '../../vision/tagging.ts'
import { stages } from '../own-values.ts'
import { withListing } from './attributes.ts'
import { correctGarment, garmentNotComplete, invalidCorrection } from './correct-garment.ts'
import { correctionDeps } from './store-correction.ts'

/** More than the keys that a garment has, and as many as its attributes. */
const maxKeys = 50

const keysOf = <T extends z.ZodType>(value: T) =>
  z
    .record(z.string().max(maxKeyLength, fieldSentences.key_too_long({ max: maxKeyLength })), value)
    .refine((all) => Object.keys(all).length <= maxKeys, fieldSentences.too_many_keys({ max: maxKeys }))

const end = z
  .tuple([z.number(), z.number()])
  .openapi({ type: 'array', items: { type: 'number' }, minItems: 2, maxItems: 2 })

const lineSchema = z.union(
  [
    z.object({ from: end, to: end }),
    z
      .tuple([end, end])
      .transform(([from, to]) => ({ from, to }))
      .openapi({ type: 'array', items: { type: 'array', items: { type: 'number' } }, minItems: 2, maxItems: 2 }),
  ],
  'must be [[x, y], [x, y]] or {from: [x, y], to: [x, y]} in pixels, or null',
)

const hasKey = (all: Readonly<Record<string, object>>) =>
  Object.values(all).some((keys) => Object.keys(keys).length > 0)

export const correctionRequest = z
  .object({
    tag: keysOf(z.string('must be a string or null').nullable())
      .openapi({ additionalProperties: false, properties: correctionProperties() })
      .default({}),
    measurements: keysOf(z.number('must be a number of centimetres or null').nullable())
      .openapi({ additionalProperties: false, properties: correctionMeasurements() })
      .default({}),
    label: keysOf(z.string('must be a string or null').nullable())
      .openapi({
        additionalProperties: false,
        properties: Object.fromEntries(labelKeys.map((key) => [key, { type: ['string', 'null'] }])),
        description: 'Corrects or confirms what the label says, as `tag` does; null removes a correction.',
      })
      .default({}),
    lines: keysOf(lineSchema.nullable())
      .openapi({
        description:
          'By name of measurement, without the unit: both ends of a line in pixels of the upright original, from its upper left ' +
          'corner, as `from` and `to` or as a list. The length follows. Null takes a line out with its measurement.',
      })
      .default({}),
    attribute: keysOf(z.string('must be a string or null').nullable())
      .openapi({ description: 'What you know of the garment. Merged with what it has; null removes a key.' })
      .default({}),
    listing: keysOf(z.string('must be a string or null').nullable())
      .openapi({
        description:
          'Your own values of a listing: title, text, price, currency, size, condition, stock, sku and any other. Kept in ' +
          '`attribute` (`price` as `Price`, `text` as `Description`), and before it where both name the same; null removes one.',
      })
      .default({}),
  })
  .extend({
    stage: z.enum(stages).optional().openapi({ description: 'How far its sale is; the same as `listing.stage`.' }),
    images: changedImagesSchema.optional().openapi({
      description:
        "The garment's pictures from now on, in their order, alone in the body: those that stay by their `id`, new ones by " +
        '`url`. Others are removed.',
    }),
  })
  .refine(
    ({ stage, images, ...all }) => stage !== undefined || images !== undefined || hasKey(all),
    'must name at least one key in tag, measurements, lines, attribute or listing, or a stage or images',
  )
  .refine(({ stage, images, ...all }) => images === undefined || (stage === undefined && !hasKey(all)), {
    path: ['images'],
    message: 'must be alone in the body',
  })

const correctRoute = createRoute({
  method: 'patch',
  path: '/garment-tagging/garment',
  operationId: 'correctGarment',
  summary: 'Correct or confirm values of a garment, describe one that failed, or change its attributes or pictures',
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
    '`listing` changes price, title and the other values of a listing, which are attributes too, and `stage` how far its sale is. ' +
    '`images` replaces, orders and removes pictures, in any state: the garment is tagged again and its completion sent again. ' +
    'With `If-Match` and the `ETag` of the query, nothing is changed if somebody else has changed the garment since.',
  ...gatedJson,
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
    'garment_not_found',
    invalidCorrection(['tag.Colour: must be one of Black, White, Grey, …']),
    garmentNotComplete('processing'),
    'garment_changed',
    'precondition_failed',
    tooManyWaiting(1000),
    quotaExceeded('text_bytes', 200_000_000),
  ]),
})

export const correctionRoutes = createRouter().openapi(correctRoute, async (c) => {
  const { uuid } = c.req.valid('query')
  c.set('uuid', uuid)
  const { 'if-match': ifMatch } = c.req.valid('header')
  const { attribute, listing: given, stage, images, label, tag, ...values } = c.req.valid('json')
  const listing = stage === undefined ? given : { ...given, stage }
  const by = byKey(c.var.apiKeyId)
  const patch = {
    ...values,
    tag: { ...tag, ...label },
    attribute: (current: Attribute) => withListing(current, attribute, listing),
  }
  const correction = { uuid, ifMatch, patch, by }
  const { origin } = new URL(c.req.url)
  const garment =
    images === undefined
      ? await correctGarment(correctionDeps(c.env, c.var.tenantId), c.var.tenantId, correction, Date.now())
      : await acceptImages(c.env, c.var.tenantId, { uuid, ifMatch, images, by, origin }, Date.now())
  c.header('ETag', garmentVersion(garment))
  return ok(c, toGarmentResponse(garment, settingsOf(c.env).PUBLIC_URL))
})
