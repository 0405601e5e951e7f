import { z } from '@hono/zod-openapi'
import { garmentStatuses } from '../db/schema.ts'
import { garmentResultSchema } from '../garment/fields.ts'
import { pageLimit } from '../http/validation/page-limit.ts'
import { maxExportPage } from './export-garments.ts'

const time = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()], 'must be an ISO 8601 date or time')
  .transform((text) => Date.parse(text))
  .optional()

export const exportQuery = z.object({
  format: z.enum(['json', 'csv'], 'must be json or csv').default('json'),
  from: time.openapi({ description: 'Uploads from this time on. A date is its midnight in UTC.' }),
  to: time.openapi({
    description: 'Uploads before this time. A date is its midnight in UTC, so that day is not included.',
  }),
  status: z.enum(garmentStatuses, `must be one of ${garmentStatuses.join(', ')}`).optional(),
  limit: pageLimit(maxExportPage),
  cursor: z.string().optional(),
})

export const exportSchema = z.object({
  garments: z.array(
    z.object({
      ...garmentResultSchema.shape,
      image_url: z.string(),
      original_img: z.string().openapi({
        description:
          'The public address of an uploaded file, without the metadata of its camera; empty for an image elsewhere.',
      }),
      attribute: z.record(z.string(), z.string()),
      uploaded_at: z.string(),
      ended_at: z.string(),
      machine: garmentResultSchema.pick({ tag: true, measurements: true }).nullable(),
      confirmed: z
        .array(z.string())
        .optional()
        .openapi({ description: 'The keys of the values that a person confirmed; absent where nothing was.' }),
    }),
  ),
  next_cursor: z.string().nullable(),
})
