import { eq, sql, type SQL } from 'drizzle-orm'
import { type Database, selectValues } from '../platform/db/database.ts'
import { tenants, waitingEvents } from '../platform/db/schema.ts'
import { toIso } from '../time.ts'
import type { EventName } from './catalogue.ts'

export interface AccountEvent {
  readonly tenantId: string
  readonly event: EventName
  /** What it concerns, and which occurrence. An event with the same subject is delivered once. */
  readonly subject: string
}

export const eventId = ({ tenantId, event, subject }: AccountEvent) => `${event}/${tenantId}/${subject}`

/**
 * The statement that stores an event in the accounts' database, in the batch of what it reports. The sweep carries it
 * to the tenant's endpoints. `data` is an expression of its body without its name, time and domain.
 */
export function storeWaitingEvent(
  db: Database,
  happened: AccountEvent,
  { when, data }: { readonly when: SQL; readonly data: SQL },
  nowMs: number,
) {
  const head = sql`json_object('event', ${happened.event}, 'timestamp', ${toIso(nowMs)}, 'domain', ${tenants.domain})`
  const row = { id: eventId(happened), tenantId: happened.tenantId, body: sql`json_patch(${head}, ${data})` }
  return db
    .insert(waitingEvents)
    .select(
      db
        .select(selectValues(waitingEvents, row))
        .from(tenants)
        .where(sql`${eq(tenants.id, happened.tenantId)} AND ${when}`),
    )
    .onConflictDoNothing()
}
