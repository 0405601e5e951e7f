import { z } from '@hono/zod-openapi'
import type { ListedKey } from './list-api-keys.ts'

export const newApiKeySchema = z.object({
  name: z.string().trim().min(1, 'must not be empty').max(200, 'must be at most 200 characters'),
})

const fields = { id: z.string(), name: z.string(), prefix: z.string(), created_at: z.string() }

/** The one answer that holds the key itself. */
export const createdApiKeySchema = z.object({ ...fields, api_key: z.string() })

const listedApiKeySchema = z.object({ ...fields, last_used_at: z.string().nullable() })

export const apiKeyListSchema = z.object({ api_keys: z.array(listedApiKeySchema) })

const iso = (ms: number) => new Date(ms).toISOString()

export function toListedApiKey({ key, lastUsedAt }: ListedKey): z.infer<typeof listedApiKeySchema> {
  const { id, name, prefix, createdAt } = key
  return { id, name, prefix, created_at: iso(createdAt), last_used_at: lastUsedAt === null ? null : iso(lastUsedAt) }
}
