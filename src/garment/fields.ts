import { z } from '@hono/zod-openapi'
import { garmentStatuses } from '../db/schema.ts'

/** Any string of 1 to 128 characters without control characters. */
export const garmentUuid = z
  .string('must be given once, as a string')
  .min(1, 'must not be empty')
  .max(128, 'must be at most 128 characters')
  // oxlint-disable-next-line no-control-regex
  .regex(/^[^\u0000-\u001f\u007f-\u009f]*$/, 'must not contain control characters')
  .refine((text) => text.isWellFormed(), 'must be well-formed Unicode')

const maxAttributes = 50

/** Attributes that the service uses. Any other is kept. */
export const knownAttributes = ['Brand', 'Category', 'Gender', 'Material', 'Studio'] as const

export const attributeSchema = z
  .record(
    z.string().min(1).max(64, 'must be a key of at most 64 characters'),
    z.string('must be a string').max(512, 'must be at most 512 characters'),
  )
  .refine((all) => Object.keys(all).length <= maxAttributes, `must have at most ${maxAttributes} keys`)

export const uploadSchema = z.object({
  uuid: garmentUuid,
  image_url: z.string(),
  attribute: attributeSchema.default({}),
})

export const tagSchema = z.record(z.string(), z.union([z.string(), z.array(z.string())]))
export const measurementsSchema = z.record(z.string(), z.number())

export const garmentResultSchema = z
  .object({
    uuid: z.string(),
    annotated_img: z.string(),
    tag: tagSchema.nullable(),
    measurements: measurementsSchema.nullable(),
    description: z.string(),
    complete: z.boolean(),
    status: z.enum(garmentStatuses),
    failure_reason: z.string(),
    /** The keys of the values that a person corrected; absent where nothing was. */
    corrected: z.array(z.string()).optional(),
  })
  .openapi('Garment')

export type GarmentResult = Readonly<z.infer<typeof garmentResultSchema>>
