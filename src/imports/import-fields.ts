import { z } from '@hono/zod-openapi'
import { formatCount } from '../platform/format-count.ts'
import { importLineStatuses } from '../platform/db/schema.ts'
import { retrySchema } from '../garments/failure.ts'
import { pageLimit } from '../platform/http/validation.ts'
import { parseJson } from '../platform/parse-json.ts'

const maxNameLength = 200

const maxLinesInPage = 1000

const maxColumnsLength = 8000

const id = z.string('is required').regex(/^[0-9a-f-]{36}$/, 'must be the id of an import')

export const newImportQuery = z.object({
  name: z
    .string()
    .max(maxNameLength, `must be at most ${maxNameLength} characters`)
    .default('Lines by API')
    .openapi({ description: "The import's name in the dashboard, such as the name of the file." }),
  overwrite: z.enum(['true', 'false'], 'must be true or false').default('false').openapi({
    description: 'True to overwrite changes that are newer than the file.',
  }),
  columns: z
    .string()
    .max(maxColumnsLength, `must be at most ${maxColumnsLength} characters`)
    .default('{}')
    .transform(parseJson)
    .pipe(z.record(z.string(), z.string(), 'must be a JSON object of texts'))
    .openapi({
      type: 'string',
      description:
        'JSON that maps columns of a CSV to fields, such as `{"Primary Color": "tag.Colour", "Notes": ""}`. A field is ' +
        '`uuid`, `number`, `image_url`, `tag.` and an attribute of the taxonomy, `measurements.` and a measurement, or the ' +
        'name of any attribute. An empty text ignores the column.',
    }),
})

export const importQuery = z.object({
  id: id.optional().openapi({ description: 'Id of the import. Without it, imports are listed, newest first.' }),
  status: z
    .enum(importLineStatuses)
    .optional()
    .openapi({ description: 'Only lines with this status. `refused` and `failed` lines have a problem.' }),
  cursor: z
    .string()
    .max(100, 'must be the next_cursor of the previous page')
    .optional()
    .openapi({ description: '`next_cursor` of the previous page.' }),
  limit: pageLimit(maxLinesInPage, 100).openapi({
    description: `Lines per page, at most ${formatCount(maxLinesInPage)}. A page of more than 4 MiB has fewer.`,
  }),
})

export const pauseRequest = z.object({ id, paused: z.boolean('must be true or false') })

export const storedImportSchema = z
  .object({
    id: z.string(),
    accepted: z.int().openapi({ description: 'Lines that will be uploaded or will edit garments.' }),
    refused: z.int().openapi({ description: 'Lines with errors, listed in the report.' }),
    ignored: z.array(z.string()).openapi({ description: 'Columns that were ignored.' }),
  })
  .openapi('StoredImport')

const count = (description: string) => z.int().openapi({ description })

const importFields = {
  id: z.string(),
  name: z.string(),
  paused: z.boolean(),
  done: z.boolean().openapi({ description: 'True once all lines have ended.' }),
  totals: z.object({
    lines: count('All lines.'),
    waiting: count('Stored, but not yet uploaded.'),
    tagging: count('Uploaded, but not yet tagged.'),
    complete: count('Tagged.'),
    failed: count('Tagging or the edit failed.'),
    unchanged: count('The garment already had these values, or a person left the line out.'),
    refused: count('Not uploaded because of an error.'),
    asking: count(
      'Not applied, because the garment was changed after the file was made. `overwrite` applies such lines.',
    ),
    unmatched: count('Sent in the dashboard, where a person must choose their garment.'),
  }),
  created_at: z.string(),
  ended_at: z.string().nullable().openapi({ description: 'When the last line ended. Null before that.' }),
}

export const importSchema = z
  .object({
    ...importFields,
    lines: z.array(
      z.object({
        line: z.int().openapi({ description: "The line's number in the file." }),
        uuid: z.string(),
        image_url: z.string(),
        images: z.array(z.string()).openapi({ description: 'The URLs of further pictures.' }),
        attribute: z.record(z.string(), z.string()),
        status: z.enum(importLineStatuses),
        problem: z.string().openapi({ description: 'Why the line was refused or failed. Empty otherwise.' }),
        retry: retrySchema.optional(),
      }),
    ),
    next_cursor: z.string().nullable(),
  })
  .openapi('Import')

export const importListSchema = z
  .object({
    imports: z.array(z.object(importFields)),
    next_cursor: z.string().nullable(),
  })
  .openapi('ImportList')
