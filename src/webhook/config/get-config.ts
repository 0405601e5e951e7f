import type { Database } from '../../db/client.ts'
import { findConfigRow, openConfig, type WebhookConfig } from './config.ts'

const unset: WebhookConfig = { enabled: false, url: '', secret: '', headers: {} }

/** The tenant's configuration; `disabled_reason` is there only where the service switched the webhook off itself. */
export async function getConfig(db: Database, tenantId: string, encryptionKey: string) {
  const row = await findConfigRow(db, tenantId)
  if (row === undefined) return unset
  const config = await openConfig(row, encryptionKey)
  return row.disabledReason === '' ? config : { ...config, disabled_reason: row.disabledReason }
}
