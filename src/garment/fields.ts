import { z } from '@hono/zod-openapi'
import { garmentStatuses } from '../db/schema.ts'
import { fieldSentences } from '../http/validation/field-sentences.ts'
import {
  controlCharacters,
  maxKeyLength,
  maxValueLength,
  withoutControlCharacters,
} from '../http/validation/text-limits.ts'
import { catalogue } from '../vision/attributes/catalogue.ts'
import { type CatalogueEntry, isRanked } from '../vision/attributes/catalogue-entry.ts'
import { failureCodes } from './errors/failure.ts'
import { retrySchema } from './errors/retry.ts'
import { placesSchema } from './result/measured-places.ts'
import { measurementsSchema, tagSchemaOf } from './result/tag-schema.ts'
import { detailsSchema } from './result/tagging-details.ts'

export const maxUuidLength = 128

/** Any string of 1 to 128 characters without control characters. */
export const garmentUuid = z
  .string({ error: ({ input }) => (input === undefined ? fieldSentences.required() : fieldSentences.not_given_once()) })
  .min(1, fieldSentences.empty())
  .max(maxUuidLength, fieldSentences.too_long({ max: maxUuidLength }))
  .regex(withoutControlCharacters, fieldSentences.control_characters())
  .refine((text) => text.isWellFormed(), fieldSentences.not_unicode())

const maxAttributes = 50

const isPlain = (text: string) => text.search(controlCharacters) === -1

/** Attributes that the service uses. Any other is kept. */
export const knownAttributes: readonly string[] = [
  ...catalogue.flatMap((entry: CatalogueEntry) =>
    !isRanked(entry) && entry.source.client === true ? [entry.name] : [],
  ),
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

export const uploadSchema = z.object({
  uuid: garmentUuid,
  image_url: z.string().openapi({ description: 'The public address of the picture, at most 2,048 characters.' }),
  attribute: attributeSchema.default({}).openapi({
    description:
      'What is known of the garment, any keys. `Brand`, `Category`, `Gender`, `Material` and `Studio` are used, and `Size` of children.',
  }),
})

export const tagSchema = tagSchemaOf()

export const garmentResultSchema = z
  .object({
    uuid: z.string(),
    annotated_img: z
      .string()
      .openapi({ description: 'The public address of the annotated picture; empty until complete.' }),
    tag: tagSchema.nullable().openapi({
      description:
        'Attributes with their `… Confidence` (High, Medium, Low) and `… Alternatives`; null until complete.',
    }),
    measurements: measurementsSchema
      .nullable()
      .openapi({ description: 'Names with their unit, as `Chest (cm)`, to numbers; null until complete.' }),
    description: z.string().openapi({ description: 'A sentence or more; empty until complete.' }),
    complete: z.boolean().openapi({ description: 'Whether tagging has ended well.' }),
    status: z.enum(garmentStatuses),
    failure_reason: z.string().openapi({ description: 'Why it could not be tagged; empty unless it failed.' }),
    failure_code: z
      .enum(['', ...failureCodes])
      .openapi({ description: 'The failure for programs, one of a closed list; empty unless it failed.' }),
    retry: retrySchema.optional(),
    ...detailsSchema.shape,
    ...placesSchema.shape,
    corrected: z
      .array(z.string())
      .optional()
      .openapi({ description: 'The keys of the values that a person corrected; absent where nothing was.' }),
  })
  .openapi('Garment')

export type GarmentResult = Readonly<z.infer<typeof garmentResultSchema>>
