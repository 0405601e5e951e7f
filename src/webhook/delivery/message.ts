import { z } from 'zod'

/** Ids only: everything else is read from the database at the time of the attempt. */
export const deliveryMessage = z.object({
  tenantId: z.string(),
  garmentUuid: z.string(),
  deliveryId: z.string(),
  endpoint: z.string(),
  /** The attempt to make, from 1. A message of an attempt that was already made does nothing. */
  attempt: z.int().min(1),
  /** Whether the start of the delivery has claimed it for this attempt. Only of messages that exist once. */
  isClaimed: z.boolean().optional(),
})

export type DeliveryMessage = z.infer<typeof deliveryMessage>

/** The message of a delivery's next attempt. */
export const nextMessage = (delivery: {
  readonly tenantId: string
  readonly garmentUuid: string
  readonly id: string
  readonly endpoint: string
  readonly attemptCount: number
}): DeliveryMessage => ({
  tenantId: delivery.tenantId,
  garmentUuid: delivery.garmentUuid,
  deliveryId: delivery.id,
  endpoint: delivery.endpoint,
  attempt: delivery.attemptCount + 1,
})
