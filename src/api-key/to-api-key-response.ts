import type { z } from '@hono/zod-openapi'
import type { apiKeys } from '../db/schema.ts'
import { toIso } from '../time.ts'
import type { createdApiKeySchema, listedApiKeySchema } from './fields.ts'
import type { CreatedKey } from './create-api-key.ts'
import type { ListedKey } from './list-api-keys.ts'

const fieldsOf = ({ id, name, prefix, createdAt }: typeof apiKeys.$inferSelect) => ({
  id,
  name,
  prefix,
  created_at: toIso(createdAt),
})

export const toCreatedKeyResponse = ({ row, key }: CreatedKey): z.infer<typeof createdApiKeySchema> => ({
  ...fieldsOf(row),
  api_key: key,
})

export const toListedKeyResponse = ({ key, lastUsedAt }: ListedKey): z.infer<typeof listedApiKeySchema> => ({
  ...fieldsOf(key),
  last_used_at: lastUsedAt === null ? null : toIso(lastUsedAt),
})
