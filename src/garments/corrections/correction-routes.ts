import { createRoute, z } from '@hono/zod-openapi'
import { byKey } from '../../accounts/audit.ts'
import { fieldSentences, maxKeyLength } from '../../platform/http/validation.ts'
import {
  changedImagesSchema,
  correctionMeasurements,
  correctionProperties,
  garmentResultSchema,
  garmentUuid,
  maxUuidLength,
} from '../garment-fields.ts'
import { acceptImages, pictureChangeDeps } from '../accept-upload.ts'
import { changePictures, rotatePictures, splitGarment } from '../pictures/change-pictures.ts'
import { maxPictures, rotations } from '../pictures/garment-picture.ts'
import { tooManyWaiting, uuidConflict } from '../garment-errors.ts'
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
import { saleNames, stages } from '../listing-values.ts'
import { type AttributePatch, isListingKey, withListing } from './attributes.ts'
import { correctGarment, garmentNotComplete, invalidCorrection } from './correct-garment.ts'
import { correctionDeps } from './store-correction.ts'

/** As many as a garment's attributes, and more than its other keys. */
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

const saleRequest = z.object({
  price: z.union([z.string(), z.number().transform(String)], 'must be an amount, such as 12.50').optional(),
  currency: z.string().optional(),
  at: z.string().optional().openapi({ description: 'A date such as `2026-11-29`, or ISO 8601 with a time.' }),
  channel: z.string().optional().openapi({ description: 'Where it was sold, such as `eBay`.' }),
})

const saleAttributes = (sale: z.infer<typeof saleRequest>): AttributePatch =>
  Object.fromEntries(
    Object.entries(saleNames).flatMap(([key, [name]]) => {
      const value = sale[key as keyof typeof sale]
      return value === undefined ? [] : [[name, value]]
    }),
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
      .superRefine((listing, ctx) => {
        for (const name of Object.keys(listing))
          if (!isListingKey(name))
            ctx.addIssue({
              code: 'custom',
              path: [name],
              message: 'is not a field of a listing; begin the name of a column of your own with own.',
            })
      })
      .openapi({
        description:
          'Your values of a listing: title, text, price, currency, size, condition, stock and sku. Names of other columns ' +
          'begin with `own.`, such as `own.rack`. The values are stored in `attribute` (`price` as `Price`, `text` as ' +
          '`Description`, `own.rack` as `rack`), and replace the ones there. Null removes a value.',
      })
      .default({}),
  })
  .extend({
    stage: z.enum(stages).optional().openapi({ description: 'How far its sale is; the same as `listing.stage`.' }),
    sold: saleRequest.default({}).openapi({
      description:
        'The sale of a garment in the stage `sold`. `price` and `currency` default to those of the listing, and `at` to now. ' +
        'The same as the attributes `Sold price`, `Sold currency`, `Sold at` and `Sold channel`.',
    }),
    images: changedImagesSchema.optional().openapi({
      description:
        "The garment's pictures from now on, in their order, alone in the body: those that stay by their `id`, new ones by " +
        '`url`, and those of another garment by its `uuid` and their `id`. Others are removed. The other garment loses the ' +
        'moved pictures, and goes to the bin if it has no picture left.',
    }),
    rotations: z
      .record(z.string().max(maxUuidLength), z.literal(rotations))
      .refine((all) => Object.keys(all).length <= maxPictures, fieldSentences.too_many_keys({ max: maxPictures }))
      .optional()
      .openapi({
        description:
          'Rotation of pictures by their `id`, alone in the body: clockwise degrees after EXIF, not relative to the present ' +
          'rotation. The garment is tagged again, and lines that people drew rotate with their picture.',
      }),
  })
  .refine(
    ({ stage, images, rotations: angles, ...all }) =>
      stage !== undefined || images !== undefined || angles !== undefined || hasKey(all),
    'must name at least one key in tag, measurements, lines, attribute, listing or sold, or a stage, images or rotations',
  )
  .refine(
    ({ stage, images, rotations: angles, ...all }) =>
      images === undefined || (stage === undefined && angles === undefined && !hasKey(all)),
    { path: ['images'], message: 'must be alone in the body' },
  )
  .refine(
    ({ stage, images, rotations: angles, ...all }) =>
      angles === undefined || (stage === undefined && images === undefined && !hasKey(all)),
    { path: ['rotations'], message: 'must be alone in the body' },
  )

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
    quotaExceeded('row_bytes', 200_000_000),
  ]),
})

export const splitRequest = z.object({
  uuid: garmentUuid.openapi({ description: 'The uuid of the new garment.' }),
  images: z
    .array(z.string().max(maxUuidLength))
    .min(1)
    .max(maxPictures)
    .openapi({ description: 'The ids of its pictures. They keep their order.' }),
})

const splitRoute = createRoute({
  method: 'post',
  path: '/garment-tagging/garment/split',
  operationId: 'splitGarment',
  summary: 'Make a new garment of some pictures of a garment',
  description:
    'The new garment is a draft with the next stock number and without a listing, and both garments are tagged again. At ' +
    'least one picture stays. The garment must have ended. The same call again changes nothing. `PATCH` ' +
    '`/garment-tagging/garment` with `images` moves pictures the other way.',
  ...gatedJson,
  request: {
    query: z.object({ uuid: garmentUuid }),
    body: jsonRequest(splitRequest, { uuid: '12346', images: ['5f0c1e9b7a3d2468'] }),
  },
  responses: responses(garmentResultSchema, completeGarment, [
    'garment_not_found',
    garmentNotComplete('processing'),
    uuidConflict(['uuid: another garment has this uuid']),
    'garment_changed',
    tooManyWaiting(1000),
    quotaExceeded('garments', 200_000),
    quotaExceeded('row_bytes', 200_000_000),
  ]),
})

export const splitRoutes = createRouter().openapi(splitRoute, async (c) => {
  const { uuid } = c.req.valid('query')
  c.set('uuid', uuid)
  const { uuid: newUuid, images: ids } = c.req.valid('json')
  const { tenantId } = c.var
  const nowMs = Date.now()
  const { origin } = new URL(c.req.url)
  const split = { uuid, newUuid, ids, origin, by: byKey(c.var.apiKeyId) }
  const garment = await splitGarment(pictureChangeDeps({ env: c.env, db: c.var.db }, nowMs), tenantId, split, nowMs)
  c.header('ETag', garmentVersion(garment))
  return ok(c, toGarmentResponse(garment, settingsOf(c.env).PUBLIC_URL))
})

export const correctionRoutes = createRouter().openapi(correctRoute, async (c) => {
  const { uuid } = c.req.valid('query')
  c.set('uuid', uuid)
  const { 'if-match': ifMatch } = c.req.valid('header')
  const {
    attribute,
    listing: given,
    stage,
    sold,
    images,
    rotations: angles,
    label,
    tag,
    ...values
  } = c.req.valid('json')
  const listing = { ...given, ...(stage !== undefined && { stage }), ...saleAttributes(sold) }
  const by = byKey(c.var.apiKeyId)
  const patch = {
    ...values,
    tag: { ...tag, ...label },
    attribute: (current: Attribute) => withListing(current, attribute, listing),
  }
  const correction = { uuid, ifMatch, patch, by }
  const { origin } = new URL(c.req.url)
  const { tenantId } = c.var
  const nowMs = Date.now()
  const garment =
    images !== undefined
      ? await acceptImages({ env: c.env, db: c.var.db }, tenantId, { uuid, ifMatch, images, by, origin }, nowMs)
      : angles !== undefined
        ? await changePictures(
            pictureChangeDeps({ env: c.env, db: c.var.db }, nowMs),
            tenantId,
            { uuid, ifMatch, by, change: rotatePictures(angles) },
            nowMs,
          )
        : await correctGarment(correctionDeps({ env: c.env, db: c.var.db }), tenantId, correction, nowMs)
  c.header('ETag', garmentVersion(garment))
  return ok(c, toGarmentResponse(garment, settingsOf(c.env).PUBLIC_URL))
})
