import { unescapeAmpersands } from '../platform/outbound/target.ts'
import { z } from '@hono/zod-openapi'
import { sizeSystems, sizeTypes } from './sizes/size-words.ts'
import { allValues, attributes, type CatalogueEntry, isRanked } from '../vision/attributes/attribute-catalogue.ts'
import { measurementNames } from './corrections/allowed-values.ts'
import { confidences } from '../vision/rank.ts'
import { garmentStatuses } from '../platform/db/schema.ts'
import {
  controlCharacters,
  fieldSentences,
  maxKeyLength,
  maxValueLength,
  withoutControlCharacters,
} from '../platform/http/validation.ts'
import { failureCodes, retrySchema } from './failure.ts'
import { parseListingValues, stages } from './listing-values.ts'
import { imagesResponseSchema } from './pictures/answer-pictures.ts'
import { type GivenPicture, maxPictures, pictureAt } from './pictures/garment-picture.ts'
import { pictureKinds } from '../vision/scene.ts'
import { detailsSchema, placesSchema } from './details.ts'
import { labelResponseSchema } from './label.ts'

/** Accepts any keys and values, because a stored tag keeps the keys of the version that wrote it. */
const tagSchema = z.record(z.string(), z.union([z.string(), z.array(z.string())]))

/** Creates the schema of a tag. The API description lists its known keys with their values. */
export const tagSchemaOf = () =>
  tagSchema.openapi({
    // Not the values' type, because client generators reject optional known keys beside it.
    additionalProperties: true,
    properties: Object.fromEntries(
      attributes.flatMap((entry) => {
        const { name, meaning } = entry
        const description = `${meaning.charAt(0).toUpperCase()}${meaning.slice(1)}.`
        const value = [name, { type: 'string' as const, ...enumOf(entry), description }] as const
        if (!isRanked(entry)) return [value]
        return [
          value,
          [
            `${name} Alternatives`,
            { type: 'array' as const, maxItems: 3, items: { type: 'string' as const } },
          ] as const,
          [`${name} Confidence`, { type: 'string' as const, enum: [...confidences] }] as const,
        ]
      }),
    ),
  })

const number = { type: 'number' as const }

const measurementsSchema = z.record(z.string(), z.number()).openapi({
  additionalProperties: true,
  properties: Object.fromEntries(measurementNames.map((name) => [name, number])),
})

export const correctionMeasurements = () =>
  Object.fromEntries(measurementNames.map((name) => [name, { type: ['number', 'null'] as ('number' | 'null')[] }]))

export const correctionProperties = () =>
  Object.fromEntries(
    attributes.map((entry) => {
      const { enum: values } = enumOf(entry)
      return [
        entry.name,
        { type: ['string', 'null'] as ('string' | 'null')[], ...(values && { enum: [...values, null] }) },
      ]
    }),
  )

/** Returns no values if the client may supply any text. */
function enumOf(entry: CatalogueEntry): { enum?: string[] } {
  const values = allValues(entry)
  const isFree = typeof values === 'string' || (!isRanked(entry) && entry.source.client === true)
  return isFree ? {} : { enum: [...values] }
}

export const maxUuidLength = 128

/** A string of 1 to 128 characters without control characters. Surrounding blanks are removed. */
export const garmentUuid = z
  .string({ error: ({ input }) => (input === undefined ? fieldSentences.required() : fieldSentences.not_given_once()) })
  .trim()
  .min(1, fieldSentences.empty())
  .max(maxUuidLength, fieldSentences.too_long({ max: maxUuidLength }))
  .regex(withoutControlCharacters, fieldSentences.control_characters())

const maxAttributes = 50

const isPlain = (text: string) => text.search(controlCharacters) === -1

/** Attributes that the service uses. It keeps all others unchanged. */
export const knownAttributes: readonly string[] = [
  ...attributes.flatMap((entry) => (!isRanked(entry) && entry.source.client === true ? [entry.name] : [])),
  'Studio',
]

const key = z
  .string()
  .min(1)
  .max(maxKeyLength, fieldSentences.key_too_long({ max: maxKeyLength }))
  .refine(isPlain, fieldSentences.control_characters())
const value = z.string().max(maxValueLength).refine(isPlain, fieldSentences.control_characters())

export const attributeSchema = z
  .record(key, value)
  .refine((all) => Object.keys(all).length <= maxAttributes, fieldSentences.too_many_keys({ max: maxAttributes }))

export const parseAttribute = (stored: string) => attributeSchema.parse(JSON.parse(stored))

export const givenAttributeSchema = attributeSchema.transform(parseValues).pipe(attributeSchema)

/** Transforms values to their stored form. Adds an issue for each invalid value. */
export function parseValues<T extends Readonly<Record<string, string>>>(given: T, context: z.RefinementCtx): T {
  const { values, problems } = parseListingValues(given)
  for (const [name, message] of problems) context.addIssue({ code: 'custom', path: [name], message })
  return values as T
}

const imageUrl = z.string().trim().transform(unescapeAmpersands)

export const imageSchema = z.object({
  url: imageUrl.openapi({ description: 'As `image_url`.' }),
  kind: z.enum(pictureKinds).optional().openapi({
    description: 'What the picture shows. If absent, the service predicts it. The first picture is then the `front`.',
  }),
})

const images = z.array(imageSchema).max(maxPictures)

interface GivenImages {
  readonly image_url?: string | undefined
  readonly images?: z.infer<typeof images> | undefined
}

export const toPictures = ({ image_url: first, images: more = [] }: GivenImages): GivenPicture[] => [
  ...(first === undefined ? [] : [pictureAt(first)]),
  ...more.map(({ url, kind }) => pictureAt(url, kind)),
]

/** Returns why an upload has no pictures, too many, or one twice. Null if they are valid. */
function imagesProblem({ image_url: first, images: more = [] }: GivenImages) {
  const urls = [first, ...more.map(({ url }) => url)].filter((url) => url !== undefined)
  if (urls.length === 0) return { path: ['image_url'], message: fieldSentences.required() }
  if (urls.length > maxPictures)
    return { path: ['images'], message: fieldSentences.too_many_images({ max: maxPictures }) }
  if (new Set(urls).size < urls.length) return { path: ['images'], message: fieldSentences.image_twice() }
  return null
}

const uploadFields = z.object({
  uuid: garmentUuid,
  image_url: imageUrl
    .optional()
    .openapi({ description: "The public URL of the garment's first picture, at most 2,048 characters." }),
  images: images.optional().openapi({
    description: `Further pictures, or all pictures instead of \`image_url\`, in their order. A garment has at most ${maxPictures}.`,
  }),
  number: z
    .int()
    .positive()
    .optional()
    .openapi({ description: 'A stock number that you have reserved. If absent, the garment gets the next number.' }),
  attribute: givenAttributeSchema.default({}).openapi({
    description:
      'What you know about the garment, under any keys. The service uses `Brand`, `Category`, `Gender`, `Material`, ' +
      "`Studio`, and `Size` of children's clothes. `Price`, `Currency`, `Size`, `Condition` and `Stock` are normalised. An " +
      'invalid value of these gets 400.',
  }),
})

/** The new list of a garment's pictures: existing ones by id, and new ones by URL. */
export const changedImagesSchema = z
  .array(
    z
      .object({
        uuid: garmentUuid.optional().openapi({
          description:
            'The uuid of another garment, whose picture `id` is moved from there. Tagging of both garments must have ended.',
        }),
        id: z
          .string()
          .optional()
          .openapi({ description: "The id of one of the garment's pictures, or of a picture of the garment `uuid`." }),
        url: imageUrl.optional().openapi({ description: 'The URL of a new picture.' }),
        kind: z.enum(pictureKinds).optional(),
      })
      .refine(({ id, url }) => (id === undefined) !== (url === undefined), 'must have an id or a url')
      .refine(({ uuid, id }) => uuid === undefined || id !== undefined, 'must have an id beside uuid'),
  )
  .min(1)
  .max(maxPictures)

export const editSchema = uploadFields.pick({ uuid: true, attribute: true })

const picturesOfUpload = uploadFields.pick({ image_url: true, images: true })

export const uploadSchema = uploadFields.superRefine(
  (upload, context) => {
    const problem = imagesProblem(upload)
    if (problem !== null) context.addIssue({ code: 'custom', ...problem })
  },
  // Runs even if other fields are invalid, so that all problems are reported together.
  { when: ({ value }) => picturesOfUpload.safeParse(value).success },
)

const answeredTagSchema = tagSchemaOf()

export const listingSchema = z
  .object({
    title: z.string(),
    text: z.string(),
    price: z.string(),
    currency: z.string(),
    size: z.string(),
    condition: z.string(),
    stock: z.string(),
    sku: z.string(),
  })
  .openapi({ description: 'Values for a listing, from your attributes. Empty if you gave none.' })

const saleSchema = z.object({
  price: z.string(),
  currency: z.string(),
  at: z.string().openapi({ description: 'ISO 8601.' }),
  channel: z.string().openapi({ description: 'Where the garment was sold, such as `eBay`. Empty if unknown.' }),
})

const sizeSchema = z.object({
  system: z.enum(sizeSystems).openapi({
    description: 'The scale of the value. `none` stands for a value of an unknown scale, such as a bare `38`.',
  }),
  value: z.string().openapi({ description: 'Normalised: `2XL`, `38/40`, `W32 L34`, `3-4 years`, `38 2/3`.' }),
  type: z.enum(sizeTypes).nullable().openapi({ description: 'The cut. Null if the size names none.' }),
})

export const garmentResultSchema = z
  .object({
    uuid: z.string(),
    number: z.int().openapi({
      description: 'Stock number, counted up from 1 and never reused. People and labels write it as `G-1042`.',
    }),
    annotated_img: z.string().openapi({
      description: 'The public URL of the first annotated picture. Empty until complete.',
    }),
    images: imagesResponseSchema,
    tag: answeredTagSchema.nullable().openapi({
      description:
        'Attributes with their `… Confidence` (High, Medium, Low) and `… Alternatives`. Null until complete.',
    }),
    measurements: measurementsSchema
      .nullable()
      .openapi({ description: 'Centimetres by measurement, such as `Chest (cm)`. Null until complete.' }),
    description: z.string().openapi({ description: 'A short text about the garment. Empty until complete.' }),
    complete: z.boolean().openapi({ description: 'True if the garment was tagged successfully.' }),
    status: z.enum(garmentStatuses),
    failure_reason: z.string().openapi({ description: 'Why the garment could not be tagged. Empty unless it failed.' }),
    failure_code: z
      .enum(['', ...failureCodes])
      .openapi({ description: 'The failure as a code from a closed list. Empty unless the garment failed.' }),
    retry: retrySchema.optional(),
    ...detailsSchema.shape,
    ...placesSchema.shape,
    label: labelResponseSchema.nullable(),
    corrected: z.array(z.string()).optional().openapi({
      description: 'Keys of values that a person changed, without confirmed ones. Absent if there are none.',
    }),
    attribute: z.record(z.string(), z.string()).openapi({ description: 'The attributes that you gave, as stored.' }),
    listing: listingSchema,
    size: sizeSchema.nullable().openapi({
      description:
        'The parsed size, or null. A corrected size comes first, then the size in `listing`, then a size from the label with ' +
        'High or Medium confidence.',
    }),
    stage: z
      .enum(stages)
      .openapi({ description: 'How far the sale is, from the attribute `Stage`. `draft` if that is missing.' }),
    sold: saleSchema.nullable().openapi({ description: 'The sale. Null unless the stage is `sold`.' }),
  })
  .openapi('Garment')

export type GarmentResult = Readonly<z.infer<typeof garmentResultSchema>>
