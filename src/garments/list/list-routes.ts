import { createRoute, z } from '@hono/zod-openapi'
import { allowedValues } from '../corrections/allowed-values.ts'
import { formatCount } from '../../platform/format-count.ts'
import { garmentStatuses } from '../../platform/db/schema.ts'
import { stages } from '../listing-values.ts'
import { gated } from '../../accounts/gate.ts'
import { ok, responses } from '../../platform/http/envelope.ts'
import { createRouter } from '../../platform/http/router.ts'
import { pageLimit } from '../../platform/http/validation.ts'
import { settingsOf } from '../../settings.ts'
import { toIso } from '../../time.ts'
import { itemTypes } from '../../vision/taxonomy/item-types.ts'
import { completeGarment } from '../garment-example.ts'
import { garmentResultSchema } from '../garment-fields.ts'
import { toGarmentResponse } from '../garment.ts'
import { limitSearch, searchesPerMinute } from './limit-searches.ts'
import { entriesInStep, listGarments, type ListedGarment } from './list-garments.ts'
import { isSearch } from './scans.ts'

const maxQueryLength = 128
const maxFilterLength = 512

const colours = allowedValues('Colour', '')
const amount = z
  .unknown()
  // `Number('')` is 0.
  .refine((given) => given !== '', 'must be a number')
  .pipe(z.coerce.number('must be a number').min(0).max(999_999_999))
  .optional()
  .openapi({ type: 'number', minimum: 0, maximum: 999_999_999 })
const text = z.string().max(maxFilterLength).optional()

export const garmentsQuery = z.object({
  q: z
    .string()
    .max(maxQueryLength)
    .optional()
    .openapi({
      description:
        'Words to search for. They may be in the type, colour, pattern, fabric, size, brand, title, uuid and your own ' +
        'values, in English, German, French, Spanish or Italian. All words must be found. The last one may be the beginning ' +
        'of a longer word. Case, accents, apostrophes and `&` make no difference. Without `q`, all garments are listed.',
      example: 'red dress size M',
    }),
  status: z.enum(garmentStatuses).optional(),
  type: z.enum(itemTypes).optional().openapi({ description: 'An item type of the taxonomy.' }),
  colour: z
    .string()
    .refine((value) => Array.isArray(colours) && colours.includes(value), 'must be a colour of the taxonomy')
    .optional(),
  size: text.openapi({ description: "The garment's size, or one of its words: `38` finds `EU 38`." }),
  gender: text.openapi({ description: 'Any usual word, such as `Women`, `Ladies` or `Damen`.' }),
  stage: z.enum(stages).optional(),
  min_price: amount.openapi({ description: 'The lowest price, in any currency.' }),
  max_price: amount,
  order: z
    .enum(['newest', 'doubt'])
    .default('newest')
    .openapi({ description: '`doubt` lists only garments with doubtful values, most doubtful first.' }),
  limit: pageLimit(100, 50),
  cursor: z.string().optional(),
})

export const garmentsSchema = z
  .object({
    garments: z.array(
      z.object({
        ...garmentResultSchema.pick({
          uuid: true,
          number: true,
          status: true,
          tag: true,
          listing: true,
          stage: true,
          annotated_img: true,
        }).shape,
        created_at: z.string().openapi({ description: 'Time of the upload in ISO 8601.' }),
      }),
    ),
    next_cursor: z
      .string()
      .nullable()
      .openapi({ description: 'Pass it as `cursor` to get the next page. Null on the last page.' }),
    instead: z
      .string()
      .nullable()
      .openapi({
        description:
          'The search that was made because `q` found nothing: with a corrected typo, or without the one word that matches no ' +
          'garment. Otherwise null.',
      }),
  })
  .openapi('GarmentPage')

function toPageEntry(garment: ListedGarment, publicUrl: string | undefined) {
  const { uuid, number, status, tag, listing, stage, annotated_img } = toGarmentResponse(garment, publicUrl)
  return {
    uuid,
    number,
    status,
    tag,
    listing,
    stage,
    annotated_img,
    created_at: toIso(garment.createdAt),
  }
}

const listRoute = createRoute({
  method: 'get',
  path: '/garment-tagging/garments',
  operationId: 'listGarments',
  summary: 'List and search garments, newest first',
  description:
    `Pass \`next_cursor\` as \`cursor\` until it is null. With \`q\` or a filter, a page looks at ${formatCount(entriesInStep)} garments at most: ` +
    'it may have fewer garments than `limit`, or none, and still have a cursor. A garment is found by its tags once it is complete. ' +
    `A tenant has at most ${searchesPerMinute} searches and filters per minute.`,
  ...gated,
  request: { query: garmentsQuery },
  responses: responses(garmentsSchema, {
    garments: [
      {
        uuid: completeGarment.uuid,
        number: completeGarment.number,
        status: completeGarment.status,
        tag: completeGarment.tag,
        listing: completeGarment.listing,
        stage: 'listed',
        annotated_img: completeGarment.annotated_img,
        created_at: '2026-11-21T12:00:00.000Z',
      },
    ],
    next_cursor: null,
    instead: null,
  }),
})

export const garmentListRoutes = createRouter().openapi(listRoute, async (c) => {
  const { q, type, min_price: minPrice, max_price: maxPrice, order, ...filter } = c.req.valid('query')
  const { tenantId } = c.var
  const search = q === undefined || q.trim() === '' ? undefined : q
  const request = {
    ...filter,
    search,
    itemType: type,
    minPrice,
    maxPrice,
    sort: order,
  }
  const list = async () => await listGarments(c.var.db, tenantId, request)
  const found = isSearch(request) ? await limitSearch(c.env, tenantId, list) : await list()
  const { PUBLIC_URL: publicUrl } = settingsOf(c.env)
  const { nextCursor: next, instead } = found
  return ok(c, { garments: found.garments.map((each) => toPageEntry(each, publicUrl)), next_cursor: next, instead })
})
