import { z } from '@hono/zod-openapi'

const amount = (description: string) => z.object({ used: z.number(), limit: z.number() }).openapi({ description })

export const storedSchema = z.object({
  garments: amount('Garments, until they are removed.'),
  import_lines: amount('Lines of imports, those of ended imports included, until they are removed.'),
  text_bytes: amount('What was sent of garments and lines: uuids, addresses and attributes.'),
  files: amount('Uploaded image files.'),
  file_bytes: amount('The bytes of these files.'),
})
