import { sql } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { newId } from '../db/ids.ts'
import { apiKeys } from '../db/schema.ts'
import { ApiError } from '../http/errors.ts'
import { hashApiKey, newApiKey, prefixLength } from './api-key.ts'
import type { TenantGates } from '../tenant/gates.ts'

export const maxLiveKeys = 20

/** The one time the key itself is told. `tenant` is the caller's own. */
export async function createApiKey(
  db: Database,
  gates: TenantGates,
  tenant: { readonly id: string; readonly domain: string },
  name: string,
  now: number,
) {
  const key = await newApiKey()
  const row = { id: newId(), name, prefix: key.slice(0, prefixLength) }
  // Counting and inserting are one statement, so that two requests at once cannot pass the limit together.
  const inserted = await db.all(sql`
    INSERT INTO ${apiKeys} (id, tenant_id, name, prefix, hash, created_at)
    SELECT ${row.id}, ${tenant.id}, ${name}, ${row.prefix}, ${await hashApiKey(key)}, ${now}
    WHERE (SELECT count(*) FROM ${apiKeys} WHERE tenant_id = ${tenant.id}) < ${maxLiveKeys}
    RETURNING id`)
  if (inserted.length === 0)
    throw new ApiError(409, 'Too many API keys', [`A tenant has at most ${maxLiveKeys} live keys; revoke one first.`])
  await gates.getByName(tenant.domain).forget()
  return { ...row, api_key: key, created_at: new Date(now).toISOString() }
}
