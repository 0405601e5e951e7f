import { and, eq, gt, ne, not, sql } from 'drizzle-orm'
import { type Actor, recordEntry } from '../../accounts/audit.ts'
import { type Database, hasRow, newId, runBatch, selectValues } from '../../platform/db/database.ts'
import { deliveries, firstEndpoint, tenantState, webhookEndpoints } from '../../platform/db/schema.ts'
import type { TargetPolicy } from '../../platform/outbound/target.ts'
import { configProblems } from './endpoint-problems.ts'
import {
  type ConfigRow,
  emptyConfig,
  expiryOf,
  findConfigRow,
  getEndpointRow,
  onRequest,
  toEndpointResponse,
  toOptions,
} from './endpoint.ts'
import { isEndpoint, maxEndpoints } from '../../events/delivery.ts'
import type { EncryptionKeys } from './encrypt.ts'
import { type EndpointOptions, replaceConfig, untilStored } from './store-endpoint.ts'
import { invalidConfig, tooManyEndpoints } from '../errors.ts'
import { checkFirstEvents, protectAccountEvents } from './account-events.ts'
import type { EndpointPatch, NewEndpoint, WebhookConfig } from '../fields.ts'
import { switchedOff } from '../../events/delivery-error.ts'
import { endPendingDeliveries, endpointDeleted } from '../../events/transitions.ts'
import { defaultEvents } from '../../events/catalogue.ts'

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

/** The events that are sent only on request. */
export interface RequestedEvents {
  readonly corrected: boolean
}

/** Chooses the events of a tenant, which may be before it configures its webhook. Nothing else changes. */
export async function putEvents(
  db: Database,
  keys: EncryptionKeys,
  tenantId: string,
  { corrected }: RequestedEvents,
  nowMs: number,
  by: Actor,
): Promise<void> {
  const row = {
    ...(await emptyConfig(keys, tenantId)),
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
  { db, keys }: { readonly db: Database; readonly keys: EncryptionKeys },
  tenantId: string,
  id: string,
  nowMs: number,
  by: Actor,
): Promise<void> {
  const emptied = await emptyConfig(keys, tenantId)
  await untilStored(async () => {
    const { url, events } = await getEndpointRow(db, tenantId, id)
    protectAccountEvents(events, by)
    const { deleted } = await runBatch(db, {
      deleted: db
        .update(webhookEndpoints)
        // Marked from the start, so that the sweep removes the row if this breaks off.
        .set({ ...emptied, updatedAt: nowMs, endedUntil: nowMs, endedReason: endpointDeleted })
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
  checkFirstEvents(firstEndpoint, options.events ?? [])
  const problems = configProblems(config, policy)
  if (problems.length > 0) throw invalidConfig(problems)
  await replaceConfig(db, keys, { tenantId, options: { ...options, expiresAt: null }, by }, config, nowMs)
  if (!config.enabled) await endPendingDeliveries(db, { tenantId, endpoint: firstEndpoint }, switchedOff, nowMs)
}
