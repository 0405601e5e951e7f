import { and, ne } from 'drizzle-orm'
import type { Actor } from '../../audit/record-entry.ts'
import type { Database } from '../../db/client.ts'
import { webhookEndpoints } from '../../db/schema.ts'
import { configProblems } from '../config/config-problems.ts'
import { isEndpoint } from '../config/config-row.ts'
import { replaceConfig, untilStored } from '../config/replace-config.ts'
import { switchedOff } from '../delivery-error.ts'
import { endPendingDeliveries } from '../delivery/end-deliveries.ts'
import { endpointNotFound, invalidConfig } from '../errors.ts'
import type { EndpointDeps } from './create-endpoint.ts'
import { expiryOf, toEndpointResponse, toOptions } from './to-endpoint-response.ts'
import type { EndpointPatch } from './endpoint-request.ts'
import { getEndpointRow } from './list-endpoints.ts'

/**
 * Changes what `patch` names of an endpoint. A replaced secret keeps signing for a day; disabling ends what is pending.
 * Only postponing the expiry is not recorded in the audit log. Throws 404 for an endpoint that does not exist, and 400
 * that lists every problem.
 */
export async function changeEndpoint(
  deps: EndpointDeps,
  tenantId: string,
  id: string,
  patch: EndpointPatch,
  nowMs: number,
  by: Actor,
): Promise<void> {
  const { expires_in: expiresIn, ...others } = patch
  if (expiresIn !== undefined && Object.keys(others).length === 0)
    return await setExpiry(deps.db, tenantId, id, expiryOf(expiresIn, nowMs))
  await untilStored(async () => await tryToChange(deps, tenantId, id, patch, nowMs, by))
}

/** False if the endpoint has changed since it was read. */
async function tryToChange(
  { db, keys, policy }: EndpointDeps,
  tenantId: string,
  id: string,
  { expires_in: expiresIn, ...patch }: EndpointPatch,
  nowMs: number,
  by: Actor,
): Promise<boolean> {
  const row = await getEndpointRow(db, tenantId, id)
  const stored = await toEndpointResponse(row, keys)
  const {
    url = stored.url,
    description = stored.description,
    events = stored.events,
    secret = stored.secret,
    headers = stored.headers,
    enabled = stored.enabled,
    max_per_second = stored.max_per_second,
  } = patch
  const changed = { url, description, events, secret, headers, enabled, max_per_second }
  const problems = configProblems(changed, policy)
  if (problems.length > 0) throw invalidConfig(problems)
  // Another URL is another receiver, which does not expire.
  const kept = url === stored.url ? row.expiresAt : null
  const expiresAt = expiresIn === undefined ? kept : expiryOf(expiresIn, nowMs)
  const endpoint = {
    tenantId,
    endpoint: id,
    options: { ...toOptions(changed), expiresAt },
    keepsFailures: url === stored.url && enabled === stored.enabled,
    expected: row,
    action: 'endpoint.changed',
    by,
  } as const
  if (!(await replaceConfig(db, keys, endpoint, changed, nowMs))) return false
  if (!enabled) await endPendingDeliveries(db, { tenantId, endpoint: id }, switchedOff, nowMs)
  return true
}

const isConfigured = (tenantId: string, endpoint: string) =>
  and(isEndpoint({ tenantId, endpoint }), ne(webhookEndpoints.url, ''))

async function setExpiry(db: Database, tenantId: string, id: string, expiresAt: number | null): Promise<void> {
  const [changed] = await db
    .update(webhookEndpoints)
    .set({ expiresAt })
    .where(isConfigured(tenantId, id))
    .returning({ endpoint: webhookEndpoints.endpoint })
  if (changed === undefined) throw endpointNotFound()
}
