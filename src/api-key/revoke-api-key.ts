import { and, eq } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { apiKeys } from '../db/schema.ts'
import { ApiError } from '../http/errors.ts'
import type { TenantGates } from '../tenant/gates.ts'

export async function revokeApiKey(
  db: Database,
  gates: TenantGates,
  tenant: { readonly id: string; readonly domain: string },
  keyId: string,
) {
  const mine = and(eq(apiKeys.tenantId, tenant.id), eq(apiKeys.id, keyId))
  const deleted = await db.delete(apiKeys).where(mine).returning({ id: apiKeys.id })
  // Told to the gate in any case: a repeated call mends one whose row went but whose gate was not reached.
  await gates.getByName(tenant.domain).forget()
  if (deleted.length === 0) throw new ApiError(404, 'API key not found', ['There is no live key with this id.'])
  return { message: 'The key was revoked.' }
}
