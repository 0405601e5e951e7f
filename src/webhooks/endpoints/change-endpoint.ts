import { and, eq, isNotNull, isNull, lt, ne, notInArray, sql, type SQL } from 'drizzle-orm'
import { type Actor, recordEntry } from '../../accounts/audit.ts'
import { type Database, hasRow, newId, runBatch, selectRow } from '../../platform/db/database.ts'
import { configEndpointId, deliveries, tenantState, webhookEndpoints } from '../../platform/db/schema.ts'
import type { TargetPolicy } from '../../platform/outbound/target.ts'
import { configProblems } from './endpoint-problems.ts'
import {
  defaultOptions,
  deletedColumns,
  expiryOf,
  findEndpointRow,
  getEndpointRow,
  nextRevision,
  noFailures,
  toEndpointResponse,
  toOptions,
} from './endpoint.ts'
import { type EndpointRow, isEndpoint, maxEndpoints } from '../../events/delivery.ts'
import { decrypt, encrypt, type EncryptionKeys, keyIdOf } from './encrypt.ts'
import { invalidConfig, tooManyEndpoints } from '../webhook-errors.ts'
import { type EndpointPatch, endpointRequest, type NewEndpoint, type WebhookConfig } from '../webhook-fields.ts'
import { endpointDeleted, switchedOff } from '../../events/delivery-error.ts'
import { endPendingDeliveries } from '../../events/end-deliveries.ts'
import { areOfAccount } from '../../events/catalogue.ts'
import { ApiError, overloaded } from '../../platform/http/errors.ts'
import { dayMs } from '../../time.ts'

interface EndpointDeps {
  readonly db: Database
  readonly keys: EncryptionKeys
  readonly policy: TargetPolicy
}

/** Maximum number of endpoint rows, including deleted endpoints whose deliveries have not all ended. */
const maxRows = 20

/**
 * Adds an endpoint and returns its id: `configEndpointId` if that endpoint is free, otherwise a random id. Throws 400
 * that lists every problem, and 409 above the maximum number of endpoints.
 */
export async function createEndpoint(
  { db, keys, policy }: EndpointDeps,
  tenantId: string,
  endpoint: NewEndpoint,
  nowMs: number,
  by: Actor,
): Promise<string> {
  protectAccountEvents(endpoint.events, by)
  const problems = configProblems({ ...endpoint, enabled: true }, policy)
  if (problems.length > 0) throw invalidConfig(problems)
  const options = { ...toOptions(endpoint), expiresAt: expiryOf(endpoint.expires_in, nowMs) }
  const audited = { tenantId, options, action: 'endpoint.created', by } as const
  const isFree = ((await findEndpointRow(db, tenantId))?.url ?? null) === null
  if (isFree) checkConfigEvents(configEndpointId, endpoint.events)
  const first = { ...audited, endpointId: configEndpointId, setWhere: isNull(webhookEndpoints.url) }
  if (isFree && (await storeEndpoint(db, keys, first, endpoint, nowMs))) return configEndpointId
  const id = newId()
  const isFurther = and(eq(webhookEndpoints.tenantId, tenantId), ne(webhookEndpoints.id, configEndpointId))
  const hasRoom = and(
    lt(db.$count(webhookEndpoints, isFurther), maxRows),
    lt(db.$count(webhookEndpoints, and(isFurther, isNotNull(webhookEndpoints.url))), maxEndpoints - 1),
  )
  const isStored = await storeEndpoint(db, keys, { ...audited, endpointId: id, when: hasRoom }, endpoint, nowMs)
  if (!isStored) throw tooManyEndpoints()
  return id
}

/**
 * Changes the fields that `patch` contains. A replaced secret keeps signing for a day. Disabling ends pending
 * deliveries. The audit log records every change except a new expiry. Throws 404, or 400 that lists every problem.
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
    return await setExpiry(deps.db, tenantId, id, expiryOf(expiresIn, nowMs), by)
  await untilStored(async () => await tryToChange(deps, tenantId, id, patch, nowMs, by))
}

/** Returns false if the endpoint has changed since it was read. */
async function tryToChange(
  { db, keys, policy }: EndpointDeps,
  tenantId: string,
  id: string,
  { expires_in: expiresIn, ...patch }: EndpointPatch,
  nowMs: number,
  by: Actor,
): Promise<boolean> {
  const row = await getEndpointRow(db, tenantId, id)
  protectAccountEvents([...row.events, ...(patch.events ?? [])], by)
  checkConfigEvents(id, patch.events ?? [])
  const stored = await toEndpointResponse(row, keys)
  const changed = endpointRequest.parse({ ...stored, ...patch })
  const { url, enabled } = changed
  const problems = configProblems(changed, policy)
  if (problems.length > 0) throw invalidConfig(problems)
  // An endpoint with another URL is another receiver, which does not expire.
  const oldExpiry = url === stored.url ? row.expiresAt : null
  const expiresAt = expiresIn === undefined ? oldExpiry : expiryOf(expiresIn, nowMs)
  const endpoint = {
    tenantId,
    endpointId: id,
    options: { ...toOptions(changed), expiresAt },
    keepsFailures: url === stored.url && enabled === stored.enabled,
    expected: row,
    action: 'endpoint.changed',
    by,
  } as const
  if (!(await storeEndpoint(db, keys, endpoint, changed, nowMs))) return false
  if (!enabled) await endPendingDeliveries(db, tenantId, id, switchedOff, nowMs)
  return true
}

const isUnchanged = ({ tenantId, id, revision }: EndpointRow) =>
  and(isEndpoint(tenantId, id), eq(webhookEndpoints.revision, revision))

async function setExpiry(
  db: Database,
  tenantId: string,
  id: string,
  expiresAt: number | null,
  by: Actor,
): Promise<void> {
  await untilStored(async () => {
    const row = await getEndpointRow(db, tenantId, id)
    protectAccountEvents(row.events, by)
    const changed = await db
      .update(webhookEndpoints)
      .set({ expiresAt, revision: nextRevision })
      .where(isUnchanged(row))
      .returning({ id: webhookEndpoints.id })
    return changed.length > 0
  })
}

/**
 * Deletes an endpoint's URL, secret and headers at once and ends its pending deliveries. Its row is removed with its
 * last pending delivery. The row of `/webhook/config` stays, empty. Throws 404 for an unknown endpoint.
 */
export async function deleteEndpoint(
  { db }: Pick<EndpointDeps, 'db'>,
  tenantId: string,
  id: string,
  nowMs: number,
  by: Actor,
): Promise<void> {
  await untilStored(async () => {
    const row = await getEndpointRow(db, tenantId, id)
    protectAccountEvents(row.events, by)
    const subject = row.url ?? ''
    const { deleted } = await runBatch(db, {
      deleted: db
        .update(webhookEndpoints)
        // Marked at once, so that the sweep removes the row after an interruption.
        .set({ ...deletedColumns, updatedAt: nowMs, endedUntil: nowMs, endedReason: endpointDeleted })
        .where(isUnchanged(row))
        .returning({ id: webhookEndpoints.id }),
      entry: recordEntry(db, { holderId: tenantId, action: 'endpoint.deleted', subject }, { by, at: nowMs }),
    })
    return deleted.length > 0
  })
  await endPendingDeliveries(db, tenantId, id, endpointDeleted, nowMs)
  if (id === configEndpointId) return
  const pending = db
    .select({ endpointId: deliveries.endpointId })
    .from(deliveries)
    .where(and(eq(deliveries.tenantId, tenantId), eq(deliveries.endpointId, id), isNotNull(deliveries.dueAt)))
  await db
    .delete(webhookEndpoints)
    .where(and(isEndpoint(tenantId, id), isNull(webhookEndpoints.url), notInArray(webhookEndpoints.id, pending)))
}

/**
 * Replaces the tenant's configuration, that is, the endpoint of `/webhook/config`. A temporary endpoint becomes
 * permanent, with the default events. Disabling ends pending deliveries. Throws 400 that lists every problem.
 */
export async function putConfig(
  { db, keys, policy }: EndpointDeps,
  tenantId: string,
  config: WebhookConfig,
  nowMs: number,
  { options = {}, by }: { readonly options?: EndpointOptions | undefined; readonly by: Actor },
): Promise<void> {
  checkConfigEvents(configEndpointId, options.events ?? [])
  const problems = configProblems(config, policy)
  if (problems.length > 0) throw invalidConfig(problems)
  const endpoint = { tenantId, endpointId: configEndpointId, options: { ...options, expiresAt: null }, by }
  await storeEndpoint(db, keys, endpoint, config, nowMs)
  if (!config.enabled) await endPendingDeliveries(db, tenantId, configEndpointId, switchedOff, nowMs)
}

/** Throws 403 if an API key touches an endpoint with account events, because a stolen key must not silence them. */
function protectAccountEvents(events: readonly string[], by: Actor): void {
  if (by.kind === 'api-key' && areOfAccount(events)) throw new ApiError('account_events')
}

/** Throws 400 if the endpoint of `/webhook/config`, which an API key can always change, asks for account events. */
function checkConfigEvents(endpointId: string, events: readonly string[]): void {
  if (endpointId === configEndpointId && areOfAccount(events))
    throw invalidConfig(['events: the first endpoint cannot receive account events; add another endpoint for them'])
}

/** How long a replaced secret still signs beside the new secret. */
const rotationMs = dayMs

/** Endpoint columns that `/webhook/config` does not contain. Absent columns stay unchanged. */
export type EndpointOptions = Partial<Pick<EndpointRow, 'description' | 'events' | 'maxPerSecond' | 'expiresAt'>>

interface StoredEndpoint {
  readonly tenantId: string
  readonly endpointId: string
  readonly options?: EndpointOptions
  /** Whether the receiver stays the same, so that its recorded failures still hold. */
  readonly keepsFailures?: boolean
  /** The row that was read before the change. Nothing is stored if it has changed since. */
  readonly expected?: EndpointRow | undefined
  /** Condition for a new row. */
  readonly when?: SQL | undefined
  /** Condition for a replaced row. */
  readonly setWhere?: SQL
  readonly action?: 'webhook.changed' | 'endpoint.created' | 'endpoint.changed'
  readonly by: Actor
}

const defaults = { ...defaultOptions, endedUntil: null, endedReason: null, revision: 0 }

/** A temporary endpoint loses its description and events when it becomes permanent. */
const permanentOptions = {
  description: sql`iif(${webhookEndpoints.expiresAt} IS NULL, ${webhookEndpoints.description}, '')`,
  events: sql`iif(${webhookEndpoints.expiresAt} IS NULL, ${webhookEndpoints.events}, ${JSON.stringify(defaultOptions.events)})`,
}

/**
 * Stores an endpoint whose configuration has no problems. Returns false and stores nothing if the tenant was deleted
 * meanwhile or a condition does not hold. Also replaces a configuration that can no longer be decrypted.
 */
async function storeEndpoint(
  db: Database,
  keys: EncryptionKeys,
  {
    tenantId,
    endpointId,
    options = {},
    keepsFailures = false,
    expected,
    when,
    setWhere,
    action = 'webhook.changed',
    by,
  }: StoredEndpoint,
  { enabled, url, secret, headers }: WebhookConfig,
  nowMs: number,
): Promise<boolean> {
  const row = {
    ...options,
    enabled,
    url: url === '' ? null : url,
    secret: secret === '' ? null : await encrypt(secret, keys, tenantId),
    ...(await formerSecret(await findEndpointRow(db, tenantId, endpointId), secret, keys, nowMs)),
    headers: await encrypt(JSON.stringify(headers), keys, tenantId),
    keyId: await keyIdOf(keys.current),
    updatedAt: nowMs,
    ...(enabled ? {} : { endedUntil: nowMs, endedReason: switchedOff }),
  }
  const subject = enabled ? url : 'off'
  const { stored } = await runBatch(db, {
    stored: db
      .insert(webhookEndpoints)
      .select(
        selectRow(
          db,
          webhookEndpoints,
          { ...defaults, tenantId, id: endpointId, createdAt: nowMs, ...row },
          and(
            hasRow(tenantState, eq(tenantState.tenantId, tenantId)),
            expected && hasRow(webhookEndpoints, isUnchanged(expected)),
            when,
          ),
        ),
      )
      .onConflictDoUpdate({
        target: [webhookEndpoints.tenantId, webhookEndpoints.id],
        set: { ...permanentOptions, ...row, revision: nextRevision, ...(keepsFailures ? {} : noFailures) },
        ...(setWhere && { setWhere }),
      })
      .returning({ id: webhookEndpoints.id }),
    entry: recordEntry(db, { holderId: tenantId, action, subject }, { by, at: nowMs }),
  })
  return stored.length > 0
}

const maxTries = 5

/** Repeats a read and change until it is stored. Throws 503 after five times. */
async function untilStored(change: () => Promise<boolean>): Promise<void> {
  for (let time = 0; time < maxTries; time++) if (await change()) return
  throw overloaded()
}

const none = { formerSecret: null, formerSecretUntil: null }

/**
 * Returns the columns of the former secret, which signs beside `secret`. Setting the same secret again does not change
 * a rotation in progress. A former secret that cannot be decrypted is dropped.
 */
async function formerSecret(row: EndpointRow | undefined, secret: string, keys: EncryptionKeys, nowMs: number) {
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
