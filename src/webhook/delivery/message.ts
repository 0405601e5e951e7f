import { z } from 'zod'

/** Ids only: everything else is read from the database at the time of the attempt. */
export const deliveryMessage = z.object({
  tenantId: z.string(),
  deliveryId: z.string(),
  /** Which attempt this message stands for, from 1; a message of an attempt that was already made does nothing. */
  attempt: z.int().min(1),
})

export type DeliveryMessage = z.infer<typeof deliveryMessage>
