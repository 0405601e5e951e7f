import { and, eq, sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import { addRequired, fixedRowBytes } from '../platform/db/count-rows.ts'
import { type Database, selectValues } from '../platform/db/database.ts'
import {
  configEndpointId,
  deliveries,
  tenants,
  tenantState,
  waitingEvents,
  webhookEndpoints,
} from '../platform/db/schema.ts'
import { toIso } from '../time.ts'
import type { EventName } from './catalogue.ts'
import { randomUuid } from './delivery.ts'

export interface AccountEvent {
  readonly tenantId: string
  readonly event: EventName
  /** Identifies the occurrence. An endpoint gets one event for each subject. */
  readonly subject: string
  /** The fields of the event's body after `event`, `timestamp` and `domain`. */
  readonly data: SQL | object
}

const idOf = ({ tenantId, event, subject }: AccountEvent) => `${event}/${tenantId}/${subject}`

const bodyOf = (
  { event, data }: AccountEvent,
  domain: typeof tenants.domain | typeof tenantState.domain,
  nowMs: number,
) =>
  sql<string>`json_patch(
    json_object('event', ${event}, 'timestamp', ${toIso(nowMs)}, 'domain', ${domain}),
    ${'getSQL' in data ? data : JSON.stringify(data)}
  )`

/** Stores an event in the accounts database, in the batch of its change. The sweep then delivers it. */
export function storeAccountEvent(db: Database, happened: AccountEvent, when: SQL, nowMs: number) {
  const { tenantId } = happened
  const row = { id: idOf(happened), tenantId, body: bodyOf(happened, tenants.domain, nowMs) }
  return db
    .insert(waitingEvents)
    .select(
      db
        .select(selectValues(waitingEvents, row))
        .from(tenants)
        .where(and(eq(tenants.id, tenantId), when)),
    )
    .onConflictDoNothing()
}

/** Delivers an event to each enabled endpoint that receives it. Safe to repeat. The next sweep enqueues it. */
export const deliverAccountEvent = (
  { id, tenantId, body }: { readonly id: string; readonly tenantId: string; readonly body: string | SQLWrapper },
  nowMs: number,
  when?: SQL,
) => [
  sql`
  INSERT INTO ${deliveries}
    (id, tenant_id, garment_uuid, kind, endpoint_id, body, status, next_attempt_at, due_at, created_at, updated_at)
  SELECT ${randomUuid}, ${tenantId}, ${id}, 'account', receiver.id, event.body, 'pending',
    ${nowMs}, ${nowMs}, ${nowMs}, ${nowMs}
  FROM (SELECT ${body} AS body) AS event JOIN ${webhookEndpoints} AS receiver
  WHERE receiver.tenant_id = ${tenantId} AND receiver.enabled AND receiver.id <> ${configEndpointId}
    AND instr(receiver.events, '"' || (event.body ->> 'event') || '"') AND ${when ?? 1}
  ON CONFLICT (tenant_id, garment_uuid, kind, endpoint_id) DO NOTHING`,
  addRequired(tenantId, sql`changes() * (${fixedRowBytes.deliveries} + octet_length(${body}))`),
]

/** Returns the same statements as `deliverAccountEvent`, for a change in the tenant's own database. */
export function reportAccountEvent(db: Database, happened: AccountEvent, nowMs: number, when?: SQL) {
  const { tenantId } = happened
  const body = db
    .select({ body: bodyOf(happened, tenantState.domain, nowMs) })
    .from(tenantState)
    .where(eq(tenantState.tenantId, tenantId))
  return deliverAccountEvent({ id: idOf(happened), tenantId, body }, nowMs, when)
}
