import { and, eq, sql, type SQL } from 'drizzle-orm'
import { type Actor, recordEntry } from '../../accounts/audit.ts'
import { type Database, hasRow, runBatch, selectRow } from '../../platform/db/database.ts'
import { firstEndpoint, tenantState, webhookEndpoints } from '../../platform/db/schema.ts'
import { overloaded } from '../../platform/http/errors.ts'
import { dayMs } from '../../time.ts'
import { switchedOff } from '../../events/delivery-error.ts'
import { type ConfigRow, defaultOptions, findConfigRow, noFailures } from './endpoint.ts'
import { isEndpoint } from '../../events/delivery.ts'
import type { WebhookConfig } from '../fields.ts'
import { decrypt, encrypt, keyIdOf, type EncryptionKeys } from './encrypt.ts'

/** How long a replaced secret signs beside the new one. */
const rotationMs = dayMs

/** The fields of an endpoint beyond a configuration's four. Absent ones stay unchanged. */
export type EndpointOptions = Partial<
  Pick<typeof webhookEndpoints.$inferSelect, 'description' | 'events' | 'maxPerSecond' | 'expiresAt'>
>

interface StoredEndpoint {
  readonly tenantId: string
  readonly endpoint?: string
  readonly options?: EndpointOptions
  /** Whether its receiver stays the same, so that its failures and why it was disabled still hold. */
  readonly keepsFailures?: boolean
  /** The row that the change has read and starts from. Nothing is stored if it has changed or was deleted since. */
  readonly expected?: ConfigRow | undefined
  /** The condition for inserting a new row. */
  readonly when?: SQL
  /** The condition for replacing an existing row. */
  readonly setWhere?: SQL
  /** For the audit log. */
  readonly action?: 'webhook.changed' | 'endpoint.created' | 'endpoint.changed'
  readonly by: Actor
}

const defaults = { ...defaultOptions, endedUntil: null, endedReason: '' }

/**
 * Stores an endpoint with a configuration that has no problems. A replaced secret keeps signing for a day. A disabled
 * one is marked, so that what is pending ends; `endPendingDeliveries` begins with it. Does nothing and returns false if
 * the tenant was deleted meanwhile, or if a condition does not hold. Also replaces a configuration that
 * can no longer be decrypted.
 */
export async function replaceConfig(
  db: Database,
  keys: EncryptionKeys,
  {
    tenantId,
    endpoint = firstEndpoint,
    options = {},
    keepsFailures = false,
    expected,
    when,
    setWhere,
    ...audit
  }: StoredEndpoint,
  { enabled, url, secret, headers }: WebhookConfig,
  nowMs: number,
): Promise<boolean> {
  const row = {
    ...options,
    enabled,
    url,
    secret: secret === '' ? null : await encrypt(secret, keys, tenantId),
    ...(await formerSecret(await findConfigRow(db, tenantId, endpoint), secret, keys, nowMs)),
    headers: await encrypt(JSON.stringify(headers), keys, tenantId),
    keyId: await keyIdOf(keys.current),
    updatedAt: nowMs,
    ...(enabled ? {} : { endedUntil: nowMs, endedReason: switchedOff }),
  }
  const { action = 'webhook.changed', by } = audit
  const subject = enabled ? url : 'off'
  const { stored } = await runBatch(db, {
    stored: db
      .insert(webhookEndpoints)
      .select(
        selectRow(
          db,
          webhookEndpoints,
          { ...defaults, tenantId, endpoint, createdAt: nowMs, ...row },
          and(hasRow(tenantState, eq(tenantState.tenantId, tenantId)), expected && isUnchanged(expected), when),
        ),
      )
      .onConflictDoUpdate({
        target: [webhookEndpoints.tenantId, webhookEndpoints.endpoint],
        // A new configuration resets the failures of the receiver.
        set: keepsFailures ? row : { ...row, ...noFailures },
        ...(setWhere && { setWhere }),
      })
      .returning({ endpoint: webhookEndpoints.endpoint }),
    entry: recordEntry(db, { holderId: tenantId, action, subject }, { by, at: nowMs }),
  })
  return stored.length > 0
}

/** As often as a change starts over because others come between. */
const maxTries = 5

/** Repeats a change that starts from what it reads until `replaceConfig` has stored it. Throws 503 after five times. */
export async function untilStored(change: () => Promise<boolean>): Promise<void> {
  for (let time = 0; time < maxTries; time++) if (await change()) return
  throw overloaded()
}

/** Whether a row has everything that a change writes again as it was read. */
const isUnchanged = ({ headers, enabled, events, expiresAt, ...row }: ConfigRow) =>
  hasRow(
    webhookEndpoints,
    and(
      isEndpoint(row),
      // Encrypted again with each configuration, and two envelopes are never equal.
      eq(webhookEndpoints.headers, headers),
      eq(webhookEndpoints.enabled, enabled),
      eq(webhookEndpoints.events, events),
      sql`${webhookEndpoints.expiresAt} IS ${expiresAt}`,
    ),
  )

const none = { formerSecret: null, formerSecretUntil: null }

/**
 * The secret that signs beside `secret` from now on, encrypted under the current key like the rest of the row. Setting
 * the same secret again does not change a rotation in progress. A former secret that cannot be decrypted cannot sign.
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
