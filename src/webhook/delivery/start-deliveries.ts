import { and, eq, getTableColumns, inArray, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '../../db/client.ts'
import { newId } from '../../db/ids.ts'
import { deliveries, deliveryAttempts, firstEndpoint, garments, webhookEndpoints } from '../../db/schema.ts'
import { selectValues } from '../../db/select-values.ts'
import { events, type EventName } from '../../events/catalogue.ts'
import { queueGraceMs } from '../../queue/enqueue.ts'
import { maxEndpoints } from '../errors.ts'
import { enabledEndpoints, isToAnyEndpoint, unclaimed } from './conditions.ts'
import { areAttemptsOf } from './made-attempts.ts'
import { nextMessage } from './message.ts'
import { leaseMs } from './transitions.ts'

interface DeliveredEvent {
  readonly event: EventName
  readonly tenantId: string
  readonly garmentUuid: string
  /** On the garment's state. */
  readonly when: SQL
  /** Whether the first attempts are claimed, because each message goes straight to a dispatcher, once. */
  readonly isClaimed?: boolean
}

const originOf = (db: Database, tenantId: string, garmentUuid: string) =>
  sql`${db
    .select({ origin: garments.origin })
    .from(garments)
    .where(and(eq(garments.tenantId, tenantId), eq(garments.uuid, garmentUuid)))}`

const startedRows = z.array(z.object({ id: z.string(), endpoint: z.string() }))

/** Columns that a delivery keeps when it is started over. */
const kept = ['number', 'tenantId', 'garmentUuid', 'deliveryKey', 'endpoint']

/**
 * The statement that gives a garment a delivery for each enabled endpoint that asks for the event, or starts the
 * delivery over under a new id, if `when` holds. It can stand in the batch that ends the garment, before the statement
 * that changes its state. It returns the deliveries that were started; `messagesOf` are to be enqueued. `eraseFormer`
 * stands before it and removes the attempts of a delivery that starts over.
 */
export function startDeliveries(
  db: Database,
  { event, tenantId, garmentUuid, when, isClaimed = false }: DeliveredEvent,
  nowMs: number,
) {
  const { key: kind } = events[event]
  const wanting = () => enabledEndpoints(db, tenantId, sql`instr(${webhookEndpoints.events}, ${`"${event}"`})`)
  const receivers = wanting().as('receivers')
  const position = sql`row_number() OVER (ORDER BY ${receivers.endpoint})`
  const ids = JSON.stringify(Array.from({ length: maxEndpoints }, newId))
  const id = sql`${ids} ->> (${position} - 1)`
  const fresh = {
    number: sql`NULL`,
    id,
    tenantId,
    garmentUuid,
    deliveryKey: sql`iif(${receivers.endpoint} = ${firstEndpoint}, ${kind}, ${`${kind} `} || ${receivers.endpoint})`,
    endpoint: sql`${receivers.endpoint}`,
    // The delivery of a deletion is sent when the garment is gone.
    origin: kind === 'deletion' ? originOf(db, tenantId, garmentUuid) : null,
    status: 'pending',
    attemptCount: 0,
    lastAttemptAt: null,
    nextAttemptAt: nowMs,
    lastError: '',
    responseStatus: 0,
    redeliveredFrom: null,
    firstAttempt: null,
    dueAt: nowMs + queueGraceMs,
    createdAt: nowMs,
    updatedAt: nowMs,
    ...(isClaimed ? { claimId: id, leaseUntil: nowMs + leaseMs, claims: 1 } : unclaimed),
  } as const
  const renewed = Object.entries(getTableColumns(deliveries))
    .filter(([key]) => !kept.includes(key))
    .map(([key, { name }]) => [key, sql`excluded.${sql.identifier(name)}`])
  const statement = db
    .insert(deliveries)
    .select(db.select(selectValues(deliveries, fresh)).from(receivers).where(when))
    .onConflictDoUpdate({
      target: [deliveries.tenantId, deliveries.garmentUuid, deliveries.deliveryKey],
      set: Object.fromEntries(renewed),
    })
    .returning({ id: deliveries.id, endpoint: deliveries.endpoint })
  const isFormer = and(isToAnyEndpoint(tenantId, garmentUuid, kind), inArray(deliveries.endpoint, wanting()), when)
  return {
    eraseFormer: db.delete(deliveryAttempts).where(areAttemptsOf(db, tenantId, isFormer)),
    statement,
    /** Of the rows that the statement returned. */
    messagesOf: (started: readonly unknown[] = []) =>
      startedRows.parse(started).map((row) => {
        const message = nextMessage({ ...row, tenantId, garmentUuid, attemptCount: 0 })
        return isClaimed ? { ...message, isClaimed } : message
      }),
  }
}
