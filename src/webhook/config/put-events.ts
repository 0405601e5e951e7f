import { eq, sql } from 'drizzle-orm'
import { recordEntry, type Actor } from '../../audit/record-entry.ts'
import type { Database } from '../../db/client.ts'
import { firstEndpoint, tenantState, webhookEndpoints } from '../../db/schema.ts'
import { defaultEvents, type EventName } from '../../events/catalogue.ts'
import { selectValues } from '../../db/select-values.ts'
import { emptyConfig } from './empty-config.ts'
import type { EncryptionKeys } from './encrypt.ts'

const onRequest: EventName = 'tagging.corrected'

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
  await db.batch([
    db
      .insert(webhookEndpoints)
      .select(
        db.select(selectValues(webhookEndpoints, row)).from(tenantState).where(eq(tenantState.tenantId, tenantId)),
      )
      .onConflictDoUpdate({ target: [webhookEndpoints.tenantId, webhookEndpoints.endpoint], set: { events } }),
    ...recordEntry(db, { holderId: tenantId, action: 'webhook.events', subject }, { by, at: nowMs }),
  ])
}
