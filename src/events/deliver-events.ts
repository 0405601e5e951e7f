import { sql } from 'drizzle-orm'
import { newId } from '../platform/db/database.ts'
import { deliveries, firstEndpoint, webhookEndpoints } from '../platform/db/schema.ts'
import { maxEndpoints } from './delivery.ts'

interface DeliveredEvent {
  /** In place of a garment's uuid. An event is delivered once to each endpoint, however often this is repeated. */
  readonly id: string
  readonly tenantId: string
  readonly body: string
}

/**
 * The statement that gives each event of an account a delivery to each enabled endpoint that asks for it. The next
 * sweep enqueues them.
 */
export function deliverEvents(events: readonly DeliveredEvent[], nowMs: number) {
  // One parameter for all of them, because a statement has at most 100.
  const values = events.map(({ id, tenantId, body }) => ({
    id,
    tenantId,
    body,
    deliveries: Array.from({ length: maxEndpoints }, newId),
  }))
  return sql`
    INSERT INTO ${deliveries}
      (id, tenant_id, garment_uuid, delivery_key, endpoint, body, status, next_attempt_at, due_at, created_at, updated_at)
    SELECT
      happened.value -> 'deliveries' ->> (row_number() OVER (PARTITION BY happened.key ORDER BY receiver.endpoint) - 1),
      receiver.tenant_id, happened.value ->> 'id', 'account ' || receiver.endpoint, receiver.endpoint,
      happened.value ->> 'body', 'pending', ${nowMs}, ${nowMs}, ${nowMs}, ${nowMs}
    FROM json_each(${JSON.stringify(values)}) AS happened
    JOIN ${webhookEndpoints} AS receiver ON receiver.tenant_id = happened.value ->> 'tenantId'
    WHERE receiver.enabled AND receiver.endpoint <> ${firstEndpoint}
      AND instr(receiver.events, '"' || (happened.value ->> 'body' ->> 'event') || '"')
    ON CONFLICT DO NOTHING`
}
