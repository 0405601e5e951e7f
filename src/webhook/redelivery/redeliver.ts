import type { Database } from '../../db/client.ts'
import { firstEndpoint } from '../../db/schema.ts'
import type { DeliveryKind } from '../../events/catalogue.ts'
import { ApiError } from '../../http/errors.ts'
import { enqueue } from '../../queue/enqueue.ts'
import { findConfigRow } from '../config/config-row.ts'
import { attemptUnderWay, webhookOff } from '../errors.ts'
import { isOfGarment, type DeliveryRow } from '../delivery/conditions.ts'
import { getDelivery } from '../delivery/get-delivery.ts'
import { nextMessage } from '../delivery/message.ts'
import { redeliverDeliveries } from '../delivery/transitions.ts'

/**
 * Makes one more attempt of a garment's delivery now, whatever its status, in place of the retry that waits.
 * Throws 404 if there is no delivery, 409 if the webhook is disabled or an attempt is being made.
 */
export async function redeliver(
  db: Database,
  queue: Queue,
  tenantId: string,
  garmentUuid: string,
  nowMs: number,
  kind: DeliveryKind = 'tagging',
  endpoint = firstEndpoint,
): Promise<DeliveryRow> {
  const [row] = await redeliverDeliveries(db, tenantId, isOfGarment(tenantId, garmentUuid, kind, endpoint), nowMs)
  if (row === undefined) throw await refusal(db, await getDelivery(db, tenantId, garmentUuid, kind, endpoint))
  await enqueue(queue, nextMessage(row))
  return row
}

async function refusal(db: Database, { tenantId, endpoint }: DeliveryRow): Promise<ApiError> {
  const config = await findConfigRow(db, tenantId, endpoint)
  return config?.enabled ? attemptUnderWay() : webhookOff()
}
