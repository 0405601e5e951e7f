import { sql } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import { tenants, webhookConfigs } from '../../db/schema.ts'
import { ApiError } from '../../http/errors.ts'
import { findConfigRow, type ConfigRow, type WebhookConfig } from './config.ts'
import { decrypt, encrypt } from './encrypt.ts'
import { endPendingDeliveries } from '../delivery/end-pending.ts'
import { headerProblems } from './headers.ts'
import { secretProblem } from './secret.ts'
import { targetProblem, type TargetPolicy } from '../../outbound/target.ts'

/** How long a replaced secret signs beside the new one. */
const rotationMs = 24 * 60 * 60 * 1000

export const switchedOff = 'The webhook was switched off'

export function configProblems(config: WebhookConfig, policy: TargetPolicy): string[] {
  const url = config.url === '' ? null : targetProblem(config.url, policy)
  const secret = secretProblem(config.secret)
  return [
    ...(config.enabled && config.url === '' ? ['URL is required when webhook is enabled'] : []),
    ...(url === null ? [] : [`url: ${url}`]),
    ...(secret === null ? [] : [`secret: ${secret}`]),
    ...headerProblems(config.headers),
  ]
}

/**
 * Replaces the tenant's configuration as a whole. A replaced secret keeps signing for a day; switching the webhook off
 * ends whatever is pending. Throws a 400 that lists every problem.
 */
export async function putConfig(
  db: Database,
  tenantId: string,
  config: WebhookConfig,
  { policy, encryptionKey, now }: { policy: TargetPolicy; encryptionKey: string; now: number },
): Promise<void> {
  const problems = configProblems(config, policy)
  if (problems.length > 0) throw new ApiError(400, 'Invalid webhook configuration', problems)
  const row = await findConfigRow(db, tenantId)
  const secret = config.secret === '' ? null : await encrypt(config.secret, encryptionKey, tenantId)
  const former = await formerSecret(row, config.secret, encryptionKey, now)
  const headers = await encrypt(JSON.stringify(config.headers), encryptionKey, tenantId)
  // The tenant may have been deleted since the gate read its keys. A new configuration is a new start for a receiver
  // that was given up, so `failing_since` and `disabled_reason` begin anew.
  await db.run(sql`
    INSERT INTO ${webhookConfigs} (tenant_id, enabled, url, secret, former_secret, former_secret_until, headers,
      failing_since, disabled_reason, updated_at)
    SELECT ${tenantId}, ${config.enabled ? 1 : 0}, ${config.url}, ${secret}, ${former.secret}, ${former.until}, ${headers},
      NULL, '', ${now}
    WHERE EXISTS (SELECT 1 FROM ${tenants} WHERE id = ${tenantId})
    ON CONFLICT (tenant_id) DO UPDATE SET enabled = excluded.enabled, url = excluded.url, secret = excluded.secret,
      former_secret = excluded.former_secret, former_secret_until = excluded.former_secret_until,
      headers = excluded.headers, failing_since = NULL, disabled_reason = '', updated_at = excluded.updated_at`)
  if (!config.enabled) await endPendingDeliveries(db, tenantId, switchedOff, now)
}

/** What signs beside `secret` from now on. Setting the same secret again changes nothing of a rotation under way. */
async function formerSecret(row: ConfigRow | undefined, secret: string, encryptionKey: string, now: number) {
  if (row === undefined || row.secret === null || secret === '') return { secret: null, until: null }
  const current = await decrypt(row.secret, encryptionKey, row.tenantId)
  if (current === secret) return { secret: row.formerSecret, until: row.formerSecretUntil }
  return { secret: row.secret, until: now + rotationMs }
}
