import type { Actor } from '../audit/record-entry.ts'
import { firstEndpoint } from '../db/schema.ts'
import { configProblems } from './config/config-problems.ts'
import type { WebhookConfig } from './config/config-request.ts'
import { replaceConfig, type EndpointOptions } from './config/replace-config.ts'
import { switchedOff } from './delivery-error.ts'
import { endPendingDeliveries } from './delivery/end-deliveries.ts'
import type { EndpointDeps } from './endpoint/create-endpoint.ts'
import { invalidConfig } from './errors.ts'

/**
 * Replaces the configuration of the tenant's first endpoint, which no longer expires. Disabling it ends its pending
 * deliveries. Throws a 400 that lists every problem.
 */
export async function putConfig(
  { db, keys, policy }: EndpointDeps,
  tenantId: string,
  config: WebhookConfig,
  nowMs: number,
  { options = {}, by }: { readonly options?: EndpointOptions | undefined; readonly by: Actor },
): Promise<void> {
  const problems = configProblems(config, policy)
  if (problems.length > 0) throw invalidConfig(problems)
  await replaceConfig(db, keys, { tenantId, options: { ...options, expiresAt: null }, by }, config, nowMs)
  if (!config.enabled) await endPendingDeliveries(db, { tenantId, endpoint: firstEndpoint }, switchedOff, nowMs)
}
