import type { z } from '@hono/zod-openapi'
import type { importSchema, storedImportSchema } from './fields.ts'

/** Examples in the API reference. */
export const csv = 'uuid,image_url,Brand\n12345,https://example.com/shirt.jpg,Ann\n'

export const jsonLines = `${JSON.stringify({
  uuid: '12345',
  image_url: 'https://example.com/shirt.jpg',
  attribute: { Brand: 'Ann' },
})}\n`

export const storedImport: z.infer<typeof storedImportSchema> = {
  id: '01890a5d-ac96-774b-bcce-b302099a805c',
  accepted: 1,
  refused: 1,
}

export const importWithLines: z.infer<typeof importSchema> = {
  id: storedImport.id,
  name: 'stock.csv',
  paused: false,
  done: false,
  totals: { lines: 2, waiting: 0, tagging: 1, complete: 0, failed: 0, unchanged: 0, refused: 1 },
  created_at: '2026-11-21T12:00:00.000Z',
  ended_at: null,
  lines: [
    {
      line: 3,
      uuid: '12346',
      image_url: 'ftp://example.com/coat.jpg',
      attribute: { Brand: 'Ann' },
      status: 'refused',
      problem: 'image_url: must be an http or https URL',
    },
  ],
  next_cursor: null,
}
