import { sql } from 'drizzle-orm'
import type { Actor } from '../../audit/record-entry.ts'
import { configProblems } from '../config/config-problems.ts'
import { replaceConfig } from '../config/replace-config.ts'
import { endPendingDeliveries, switchedOff } from '../delivery/end-deliveries.ts'
import { invalidConfig } from '../errors.ts'
import type { EndpointDeps } from './create-endpoint.ts'
import { toEndpointResponse, toOptions } from './to-endpoint-response.ts'
import type { EndpointPatch } from './endpoint-request.ts'
import { getEndpointRow } from './list-endpoints.ts'

/**
 * Changes what `patch` names of an endpoint. A replaced secret keeps signing for a day; disabling ends what is pending.
 * Throws 404 for an endpoint that does not exist, and 400 that lists every problem.
 */
export async function changeEndpoint(
  { db, keys, policy }: EndpointDeps,
  tenantId: string,
  id: string,
  patch: EndpointPatch,
  nowMs: number,
  by?: Actor,
): Promise<void> {
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
  const endpoint = {
    tenantId,
    endpoint: id,
    options: toOptions(changed),
    keepsFailures: url === stored.url && enabled === stored.enabled,
    // Not if it was deleted meanwhile.
    setWhere: sql`url <> ''`,
    action: 'endpoint.changed',
    by,
  } as const
  await replaceConfig(db, keys, endpoint, changed, nowMs)
  if (stored.enabled && !enabled) await endPendingDeliveries(db, { tenantId, endpoint: id }, switchedOff, nowMs)
}
