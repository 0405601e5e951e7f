import { z } from '@hono/zod-openapi'

export const newApiKeySchema = z.object({
  name: z.string().trim().min(1).max(200),
})

const fields = { id: z.string(), name: z.string(), prefix: z.string(), created_at: z.string() }

/** The only response with the key itself. */
export const createdApiKeySchema = z.object({ ...fields, api_key: z.string() })

export const listedApiKeySchema = z.object({ ...fields, last_used_at: z.string().nullable() })

export const apiKeyListSchema = z.object({ api_keys: z.array(listedApiKeySchema) })
