import { z } from '@hono/zod-openapi'
import { formatCount } from '../platform/format-count.ts'
import { importLineStatuses } from '../platform/db/schema.ts'
import { retrySchema } from '../garments/failure.ts'
import { pageLimit } from '../platform/http/validation.ts'

const maxNameLength = 200

const maxLinesInPage = 1000

const id = z.string('is required').regex(/^[0-9a-f-]{36}$/, 'must be the id of an import')

export const newImportQuery = z.object({
  name: z
    .string()
    .max(maxNameLength, `must be at most ${maxNameLength} characters`)
    .default('Lines by API')
    .openapi({ description: "What the import is called on the dashboard's page, such as the name of the file." }),
  overwrite: z.enum(['true', 'false'], 'must be true or false').default('false').openapi({
    description: 'Whether lines go before changes of their garments that were made later than they were written.',
  }),
})

export const importQuery = z.object({
  id,
  status: z
    .enum(importLineStatuses)
    .optional()
    .openapi({ description: 'Only lines of this status: `refused` and `failed` are what went wrong.' }),
  cursor: z
    .string()
    .regex(/^\d{1,7}$/, 'must be next_cursor of the page before')
    .optional()
    .openapi({ description: '`next_cursor` of the page before.' }),
  limit: pageLimit(maxLinesInPage, 100).openapi({
    description: `Lines of a page, at most ${formatCount(maxLinesInPage)}; fewer where they have more than 4 MiB.`,
  }),
})

export const pauseRequest = z.object({ id, paused: z.boolean('must be true or false') })

export const storedImportSchema = z
  .object({
    id: z.string(),
    accepted: z.int().openapi({ description: 'Lines that will be uploaded, or will change garments.' }),
    refused: z.int().openapi({ description: 'Lines with a mistake, which the report names.' }),
    ignored: z.array(z.string()).openapi({ description: 'The columns of which nothing was read.' }),
  })
  .openapi('StoredImport')

const count = (description: string) => z.int().openapi({ description })

export const importSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    paused: z.boolean(),
    done: z.boolean().openapi({ description: 'Whether its last line has ended.' }),
    totals: z.object({
      lines: count('All of them.'),
      waiting: count('Stored, not yet uploaded.'),
      tagging: count('Uploaded, not yet tagged.'),
      complete: count('Tagged.'),
      failed: count('Could not be tagged.'),
      unchanged: count('The garment was there already, with these values.'),
      refused: count('Not uploaded, because of a mistake.'),
      asking: count(
        'Older than a later change of their garment, so that they change nothing unless `overwrite` is given.',
      ),
    }),
    created_at: z.string(),
    ended_at: z.string().nullable().openapi({ description: 'When its last line ended; null before.' }),
    lines: z.array(
      z.object({
        line: z.int().openapi({ description: 'The number of the line in the file.' }),
        uuid: z.string(),
        image_url: z.string(),
        images: z.array(z.string()).openapi({ description: 'The addresses of further pictures.' }),
        attribute: z.record(z.string(), z.string()),
        status: z.enum(importLineStatuses),
        problem: z.string().openapi({ description: 'Why it was refused or failed; empty otherwise.' }),
        retry: retrySchema.optional(),
      }),
    ),
    next_cursor: z.string().nullable(),
  })
  .openapi('Import')
