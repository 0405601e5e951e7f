import { eq } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import { hostedTenants, webhookConfigs } from '../../db/schema.ts'
import { selectValues } from '../../db/select-values.ts'
import { findConfigRow, type ConfigRow } from './config-row.ts'
import type { WebhookConfig } from './config-request.ts'
import { decrypt, encrypt, keyIdOf, type EncryptionKeys } from './encrypt.ts'

/** How long a replaced secret signs beside the new one. */
const rotationMs = 24 * 60 * 60 * 1000

/**
 * Replaces the tenant's stored configuration, which has no problems. A replaced secret keeps signing for a day. Does
 * nothing if the tenant was deleted meanwhile. A configuration that cannot be decrypted any more is replaced too.
 */
export async function replaceConfig(
  db: Database,
  keys: EncryptionKeys,
  tenantId: string,
  { enabled, url, secret, headers }: WebhookConfig,
  nowMs: number,
): Promise<void> {
  const row = {
    enabled,
    url,
    secret: secret === '' ? null : await encrypt(secret, keys, tenantId),
    ...(await formerSecret(await findConfigRow(db, tenantId), secret, keys, nowMs)),
    headers: await encrypt(JSON.stringify(headers), keys, tenantId),
    keyId: await keyIdOf(keys.current),
    // A new configuration resets the failures of the receiver.
    failingSince: null,
    disabledReason: '',
    updatedAt: nowMs,
  }
  await db
    .insert(webhookConfigs)
    .select(
      db
        .select(
          selectValues(webhookConfigs, {
            tenantId,
            sendsCorrections: false,
            endedUntil: null,
            endedReason: '',
            ...row,
          }),
        )
        .from(hostedTenants)
        .where(eq(hostedTenants.tenantId, tenantId)),
    )
    .onConflictDoUpdate({ target: webhookConfigs.tenantId, set: row })
}

const none = { formerSecret: null, formerSecretUntil: null }

/**
 * The secret that signs beside `secret` from now on, encrypted under the current key like the rest of the row. Setting
 * the same secret again leaves a rotation under way as it is. A former secret that cannot be decrypted cannot sign.
 */
async function formerSecret(row: ConfigRow | undefined, secret: string, keys: EncryptionKeys, nowMs: number) {
  if (row === undefined || row.secret === null || secret === '') return none
  const replaced = await tryDecrypt(row.secret, keys, row.tenantId)
  const isSame = replaced === secret
  const former = isSame && row.formerSecret !== null ? await tryDecrypt(row.formerSecret, keys, row.tenantId) : replaced
  const until = isSame ? row.formerSecretUntil : nowMs + rotationMs
  if (former === null || until === null) return none
  return { formerSecret: await encrypt(former, keys, row.tenantId), formerSecretUntil: until }
}

async function tryDecrypt(envelope: string, keys: EncryptionKeys, tenantId: string): Promise<string | null> {
  try {
    return await decrypt(envelope, keys, tenantId)
  } catch {
    return null
  }
}
