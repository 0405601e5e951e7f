import type { Database } from '../../db/client.ts'
import { deliveryError } from '../delivery-error.ts'
import { configUnreadable } from '../errors.ts'
import type { WebhookConfig } from './config-request.ts'
import { decryptHeaders, findConfigRow, type ConfigRow } from './config-row.ts'
import { decrypt, type EncryptionKeys } from './encrypt.ts'

/** A stored configuration. `disabled_reason` is present only if the service disabled the webhook itself. */
export type StoredConfig = WebhookConfig & { disabled_reason?: string }

/** The tenant's configuration, or the defaults. Throws 409 if its secrets were encrypted under a removed key. */
export async function getConfig(db: Database, tenantId: string, keys: EncryptionKeys): Promise<StoredConfig> {
  return await readConfig(await findConfigRow(db, tenantId), keys)
}

/** The configuration of a row, for callers that need more of the row. */
export async function readConfig(row: ConfigRow | undefined, keys: EncryptionKeys): Promise<StoredConfig> {
  if (row === undefined) return { enabled: false, url: '', secret: '', headers: {} }
  const { enabled, url, disabledReason } = row
  const config = { enabled, url, ...(await decryptBoth(row, keys)) }
  return disabledReason === '' ? config : { ...config, disabled_reason: deliveryError(disabledReason) }
}

async function decryptBoth(row: ConfigRow, keys: EncryptionKeys) {
  try {
    const secret = row.secret === null ? '' : await decrypt(row.secret, keys, row.tenantId)
    return { secret, headers: await decryptHeaders(row, keys) }
  } catch {
    throw configUnreadable()
  }
}
