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
        description: 'Corrects or confirms values of the label, as `tag` does for tags. Null removes a correction.',
      })
      .default({}),
    lines: keysOf(lineSchema.nullable())
      .openapi({
        description:
          'Both ends of lines, by the name of the measurement without its unit. They are in pixels of the upright original, ' +
          'from its upper left corner, as `from` and `to` or as a list. The length follows. Null removes the line with its ' +
          'measurement.',
      })
      .default({}),
    attribute: keysOf(z.string('must be a string or null').nullable())
      .openapi({
        description: 'What you know about the garment. Merged with the existing attributes. Null removes an attribute.',
      })
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
          'Your values for a listing: title, text, price, currency, size, condition, stock and sku. Names of other columns ' +
          'begin with `own.`, such as `own.rack`. All are stored in `attribute`: `price` as `Price`, `text` as `Description`, ' +
          '`own.rack` as `rack`. Null removes a value.',
      })
      .default({}),
  })
  .extend({
    stage: z.enum(stages).optional().openapi({ description: 'How far the sale is. The same as `listing.stage`.' }),
    sold: saleRequest.default({}).openapi({
      description:
        'The sale, if the stage is `sold`. `price` and `currency` default to those of the listing, and `at` to now. The same ' +
        'as the attributes `Sold price`, `Sold currency`, `Sold at` and `Sold channel`.',
    }),
    images: changedImagesSchema.optional().openapi({
      description:
        "The garment's complete new list of pictures, in their order. It must be alone in the body. Name existing pictures " +
        'by `id`, new ones by `url`, and pictures of another garment by its `uuid` and their `id`. All others are removed. ' +
        'The other garment loses the moved pictures, and goes to the bin if it has none left.',
    }),
    rotations: z
      .record(z.string().max(maxUuidLength), z.literal(rotations))
      .refine((all) => Object.keys(all).length <= maxPictures, fieldSentences.too_many_keys({ max: maxPictures }))
      .optional()
      .openapi({
        description:
          'Absolute rotations by picture id, in degrees clockwise after the EXIF orientation. They must be alone in the body. ' +
          'The garment is tagged again. Lines that people drew rotate with their picture.',
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
    '`tag` takes values of the taxonomy (any text for `Brand` and `Material`), and `measurements` centimetres. The ' +
    'current value confirms, and null removes a correction. A corrected value has the confidence `High` and is listed in ' +
    '`corrected`. After a change of `Item Type`, the picture is measured again in the background, and the values that ' +
    'depend on the type follow. To describe a failed garment by hand, send its `Item Type` and `Colour`. It is then ' +
    'complete, without an annotated picture.\n\n' +
    '`lines` moves, adds or removes measuring lines. Their lengths follow at once, and the annotated picture in the ' +
    'background. `attribute` changes what you gave with the upload. The tag and the description follow at once. After a ' +
    "change of `Gender`, `Material`, `Studio`, or `Size` of children's clothes, the picture is tagged again. `listing` " +
    'changes the price, the title and other values of a listing, which are attributes too. `stage` says how far the sale ' +
    'is. `images` replaces, orders and removes pictures, in any state. The garment is then tagged again, and its ' +
    'completion is sent again.\n\n' +
    'With `If-Match` and the `ETag` of the query, the request gets 412 if somebody else has changed the garment since.',
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
  uuid: garmentUuid.openapi({ description: 'Uuid of the new garment.' }),
  images: z
    .array(z.string().max(maxUuidLength))
    .min(1)
    .max(maxPictures)
    .openapi({ description: 'Ids of its pictures. They keep their order.' }),
})

const splitRoute = createRoute({
  method: 'post',
  path: '/garment-tagging/garment/split',
  operationId: 'splitGarment',
  summary: 'Make a new garment of some pictures of a garment',
  description:
    'The new garment is a draft with the next stock number and without a listing. Both garments are tagged again. At ' +
    'least one picture must stay. Tagging of the garment must have ended. Repeating the call changes nothing. `images` ' +
    'of `PATCH /garment-tagging/garment` moves pictures the other way.',
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
