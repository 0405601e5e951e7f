import { and, eq, gt, ne, not, sql, type SQL } from 'drizzle-orm'
import { type Actor, recordEntry } from '../../accounts/audit.ts'
import { type Database, hasRow, newId, runBatch, selectRow, selectValues } from '../../platform/db/database.ts'
import { deliveries, firstEndpoint, tenantState, webhookEndpoints } from '../../platform/db/schema.ts'
import type { TargetPolicy } from '../../platform/outbound/target.ts'
import { configProblems } from './endpoint-problems.ts'
import {
  type ConfigRow,
  defaultOptions,
  emptyConfig,
  eventsWithoutReceiver,
  expiryOf,
  findConfigRow,
  getEndpointRow,
  noFailures,
  onRequest,
  toEndpointResponse,
  toOptions,
} from './endpoint.ts'
import { isEndpoint, maxEndpoints } from '../../events/delivery.ts'
import { decrypt, encrypt, type EncryptionKeys, keyIdOf } from './encrypt.ts'
import { invalidConfig, tooManyEndpoints } from '../errors.ts'
import { type EndpointPatch, endpointRequest, type NewEndpoint, type WebhookConfig } from '../fields.ts'
import { switchedOff } from '../../events/delivery-error.ts'
import { endPendingDeliveries, endpointDeleted } from '../../events/transitions.ts'
import { areOfAccount, defaultEvents } from '../../events/catalogue.ts'
import { ApiError, overloaded } from '../../platform/http/errors.ts'
import { dayMs } from '../../time.ts'

interface EndpointDeps {
  readonly db: Database
  readonly keys: EncryptionKeys
  readonly policy: TargetPolicy
}

/** A tenant's further endpoints, with those that are deleted but have deliveries that are still to be ended. */
const maxRows = 20

/**
 * Adds an endpoint and returns its id: the first one of a tenant that has none configured, otherwise a further one.
 * Throws 400 that lists every problem, and 409 for more than five or while many deleted ones still have deliveries.
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
  const first = await findConfigRow(db, tenantId)
  const isFirstFree = first === undefined || first.url === ''
  if (isFirstFree) checkFirstEvents(firstEndpoint, endpoint.events)
  const isFree = sql`url = ''`
  if (isFirstFree && (await replaceConfig(db, keys, { ...audited, setWhere: isFree }, endpoint, nowMs)))
    return firstEndpoint
  const id = newId()
  const hasRoom = sql`(
    SELECT count(*) < ${maxRows} AND coalesce(sum(url <> ''), 0) < ${maxEndpoints - 1}
    FROM ${webhookEndpoints} WHERE tenant_id = ${tenantId} AND endpoint <> ${firstEndpoint}
  )`
  const isStored = await replaceConfig(db, keys, { ...audited, endpoint: id, when: hasRoom }, endpoint, nowMs)
  if (!isStored) throw tooManyEndpoints()
  return id
}

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
    return await setExpiry(deps.db, tenantId, id, expiryOf(expiresIn, nowMs), by)
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
  protectAccountEvents([...row.events, ...(patch.events ?? [])], by)
  checkFirstEvents(id, patch.events ?? [])
  const stored = await toEndpointResponse(row, keys)
  const changed = endpointRequest.parse({ ...stored, ...patch })
  const { url, enabled } = changed
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

/** That an endpoint is there and still asks for these events, because others may ask for those of the account. */
const isConfiguredWith = (tenantId: string, endpoint: string, names: ConfigRow['events']) =>
  and(isEndpoint({ tenantId, endpoint }), ne(webhookEndpoints.url, ''), eq(webhookEndpoints.events, names))

async function setExpiry(
  db: Database,
  tenantId: string,
  id: string,
  expiresAt: number | null,
  by: Actor,
): Promise<void> {
  await untilStored(async () => {
    const { events } = await getEndpointRow(db, tenantId, id)
    protectAccountEvents(events, by)
    const changed = await db
      .update(webhookEndpoints)
      .set({ expiresAt })
      .where(isConfiguredWith(tenantId, id, events))
      .returning({ endpoint: webhookEndpoints.endpoint })
    return changed.length > 0
  })
}

/** Chooses the events of a tenant, which may be before it configures its webhook. Nothing else changes. */
export async function putEvents(
  db: Database,
  tenantId: string,
  { corrected }: { readonly corrected: boolean },
  nowMs: number,
  by: Actor,
): Promise<void> {
  const row = {
    ...emptyConfig,
    tenantId,
    endpoint: firstEndpoint,
    events: corrected ? [...defaultEvents, onRequest] : defaultEvents,
    endedUntil: null,
    endedReason: '',
    createdAt: nowMs,
    updatedAt: nowMs,
  }
  // The others stay, whichever they are by then.
  const others = sql`SELECT value FROM json_each(${webhookEndpoints.events}) WHERE value <> ${onRequest}`
  const chosen = corrected ? sql`${others} UNION ALL SELECT ${onRequest}` : others
  const events = sql`(SELECT json_group_array(value) FROM (${chosen}))`
  const subject = corrected ? 'with corrections' : 'without corrections'
  await runBatch(db, {
    endpoint: db
      .insert(webhookEndpoints)
      .select(
        db.select(selectValues(webhookEndpoints, row)).from(tenantState).where(eq(tenantState.tenantId, tenantId)),
      )
      .onConflictDoUpdate({ target: [webhookEndpoints.tenantId, webhookEndpoints.endpoint], set: { events } }),
    entry: recordEntry(db, { holderId: tenantId, action: 'webhook.events', subject }, { by, at: nowMs }),
  })
}

/**
 * Deletes an endpoint: clears its URL, secret and headers at once and ends its pending deliveries. Its row is removed
 * once none is left, by the sweep if that takes longer. The row of the first endpoint stays, because it stores the
 * events that the tenant chose. Throws 404 for one that does not exist.
 */
export async function deleteEndpoint(
  { db }: Pick<EndpointDeps, 'db'>,
  tenantId: string,
  id: string,
  nowMs: number,
  by: Actor,
): Promise<void> {
  await untilStored(async () => {
    const { url, events } = await getEndpointRow(db, tenantId, id)
    protectAccountEvents(events, by)
    const { deleted } = await runBatch(db, {
      deleted: db
        .update(webhookEndpoints)
        // Marked from the start, so that the sweep removes the row if this breaks off.
        .set({ ...emptyConfig, updatedAt: nowMs, endedUntil: nowMs, endedReason: endpointDeleted })
        .where(isConfiguredWith(tenantId, id, events))
        .returning({ endpoint: webhookEndpoints.endpoint }),
      entry: recordEntry(db, { holderId: tenantId, action: 'endpoint.deleted', subject: url }, { by, at: nowMs }),
    })
    return deleted.length > 0
  })
  await endPendingDeliveries(db, { tenantId, endpoint: id }, endpointDeleted, nowMs)
  if (id === firstEndpoint) return
  const isPending = and(eq(deliveries.tenantId, tenantId), eq(deliveries.endpoint, id), gt(deliveries.dueAt, 0))
  await db
    .delete(webhookEndpoints)
    .where(
      and(isEndpoint({ tenantId, endpoint: id }), eq(webhookEndpoints.url, ''), not(hasRow(deliveries, isPending))),
    )
}

/**
 * Replaces the configuration of the tenant's first endpoint. One that would expire stays from then on, with the default
 * events. Disabling it ends its pending deliveries. Throws a 400 that lists every problem.
 */
export async function putConfig(
  { db, keys, policy }: EndpointDeps,
  tenantId: string,
  config: WebhookConfig,
  nowMs: number,
  { options = {}, by }: { readonly options?: EndpointOptions | undefined; readonly by: Actor },
): Promise<void> {
  checkFirstEvents(firstEndpoint, options.events ?? [])
  const problems = configProblems(config, policy)
  if (problems.length > 0) throw invalidConfig(problems)
  await replaceConfig(db, keys, { tenantId, options: { ...options, expiresAt: null }, by }, config, nowMs)
  if (!config.enabled) await endPendingDeliveries(db, { tenantId, endpoint: firstEndpoint }, switchedOff, nowMs)
}

/**
 * Throws 403 if an API key asks for events of the account or changes an endpoint that has them, so that who has stolen
 * one cannot silence `api_key.created`. The dashboard shows endpoints to owners only.
 */
function protectAccountEvents(events: readonly string[], by: Actor): void {
  if (by.kind === 'api-key' && areOfAccount(events)) throw new ApiError('account_events')
}

/** Throws 400 if the first endpoint, which an API key can always change, asks for events of the account. */
function checkFirstEvents(endpoint: string, events: readonly string[]): void {
  if (endpoint === firstEndpoint && areOfAccount(events))
    throw invalidConfig(['events: the first endpoint has no events of the account; add another one for them'])
}

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

/** What a temporary endpoint was called and asked for ends with it. */
const withoutListener = {
  description: sql`iif(${webhookEndpoints.expiresAt} IS NULL, ${webhookEndpoints.description}, '')`,
  events: sql`iif(${webhookEndpoints.expiresAt} IS NULL, ${webhookEndpoints.events}, ${eventsWithoutReceiver})`,
}

/**
 * Stores an endpoint with a configuration that has no problems. A replaced secret keeps signing for a day. A disabled
 * one is marked, so that what is pending ends; `endPendingDeliveries` begins with it. Does nothing and returns false if
 * the tenant was deleted meanwhile, or if a condition does not hold. Also replaces a configuration that
 * can no longer be decrypted.
 */
async function replaceConfig(
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
        set: { ...withoutListener, ...row, ...(keepsFailures ? {} : noFailures) },
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
async function untilStored(change: () => Promise<boolean>): Promise<void> {
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
