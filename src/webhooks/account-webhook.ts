import { sql } from 'drizzle-orm'
import type { Actor } from '../accounts/audit.ts'
import type { Database } from '../platform/db/database.ts'
import { accountEndpoint } from '../platform/db/schema.ts'
import { configProblems } from './endpoints/endpoint-problems.ts'
import { type ConfigRow, decryptSecrets, defaultOptions, findConfigRow } from './endpoints/endpoint.ts'
import type { EncryptionKeys } from './endpoints/encrypt.ts'
import { newSecret } from './endpoints/secret.ts'
import { replaceConfig, untilStored } from './endpoints/store-endpoint.ts'
import { endPendingDeliveries } from '../events/transitions.ts'
import { switchedOff } from '../events/delivery-error.ts'
import { deleteEndpoint, type EndpointDeps } from './endpoints/change-endpoint.ts'
import { invalidConfig, webhookNotConfigured } from './errors.ts'
import type { NewAccountWebhook } from './account-fields.ts'

/** It receives only events of the account, none of garments. */
const { failingSince: _since, disabledReason: _reason, ...defaults } = defaultOptions
const options = { ...defaults, events: [], description: '' }

/** The webhook of an account; null if none is configured. All of these verbs take the accounts' database. */
export async function findAccountWebhook(db: Database, merchantId: string): Promise<ConfigRow | null> {
  const row = await findConfigRow(db, merchantId, accountEndpoint)
  return row === undefined || row.url === '' ? null : row
}

/**
 * Configures the webhook of an account; disabling it ends what is pending. Returns its secret if that is new, otherwise
 * null: a secret is shown once. Throws 400 that lists every problem.
 */
export async function putAccountWebhook(
  { db, keys, policy }: EndpointDeps,
  merchantId: string,
  { url, enabled }: NewAccountWebhook,
  nowMs: number,
  by: Actor,
): Promise<string | null> {
  const problems = configProblems({ url, enabled, secret: '', headers: {} }, policy)
  if (problems.length > 0) throw invalidConfig(problems)
  let shown: string | null = null
  await untilStored(async () => {
    const row = await findAccountWebhook(db, merchantId)
    const known = row === null ? undefined : await readSecret(row, keys, nowMs)
    const secret = known ?? newSecret()
    shown = known === undefined ? secret : null
    const keepsFailures = row !== null && row.url === url && row.enabled === enabled
    return await store({ db, keys }, { merchantId, row, keepsFailures, by }, { url, enabled, secret }, nowMs)
  })
  if (!enabled) await endPendingDeliveries(db, { tenantId: merchantId, endpoint: accountEndpoint }, switchedOff, nowMs)
  return shown
}

interface StoredChange {
  readonly merchantId: string
  /** As it was read. */
  readonly row: ConfigRow | null
  readonly keepsFailures: boolean
  readonly by: Actor
}

/** False if another change came between. */
async function store(
  { db, keys }: Pick<EndpointDeps, 'db' | 'keys'>,
  { merchantId, row, ...change }: StoredChange,
  webhook: NewAccountWebhook & { readonly secret: string },
  nowMs: number,
): Promise<boolean> {
  const endpoint = { tenantId: merchantId, endpoint: accountEndpoint, action: 'account-webhook.changed' } as const
  const condition = row === null ? { setWhere: sql`url = ''` } : { expected: row }
  const stored = { ...endpoint, options, ...condition, ...change }
  return await replaceConfig(db, keys, stored, { ...webhook, headers: {} }, nowMs)
}

/** Undefined if it was encrypted under a removed key. */
async function readSecret(row: ConfigRow, keys: EncryptionKeys, nowMs: number): Promise<string | undefined> {
  try {
    return (await decryptSecrets(row, keys, nowMs))[0]
  } catch {
    return undefined
  }
}

/** Returns a new secret; the one before signs beside it for a day. Throws 409 if no webhook is configured. */
export async function renewAccountSecret(
  { db, keys }: Pick<EndpointDeps, 'db' | 'keys'>,
  merchantId: string,
  nowMs: number,
  by: Actor,
): Promise<string> {
  const secret = newSecret()
  await untilStored(async () => {
    const row = await findAccountWebhook(db, merchantId)
    if (row === null) throw webhookNotConfigured('renewing its secret')
    const { url, enabled } = row
    return await store({ db, keys }, { merchantId, row, keepsFailures: true, by }, { url, enabled, secret }, nowMs)
  })
  return secret
}

/** Deletes the webhook of an account, and ends what is pending. Does nothing if there is none. */
export async function deleteAccountWebhook(
  deps: Pick<EndpointDeps, 'db' | 'keys'>,
  merchantId: string,
  nowMs: number,
  by: Actor,
): Promise<void> {
  if ((await findAccountWebhook(deps.db, merchantId)) !== null)
    await deleteEndpoint(deps, merchantId, accountEndpoint, nowMs, by)
}
