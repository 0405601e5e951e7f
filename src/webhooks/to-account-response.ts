import type { z } from '@hono/zod-openapi'
import type { ConfigRow } from './endpoints/endpoint.ts'
import { deliveryError } from '../events/delivery-error.ts'
import { toDeliveryResponse } from './deliveries/delivery-routes.ts'
import { accountDeliveriesSchema, type accountWebhookSchema } from './account-fields.ts'
import type { AccountDelivery } from './list-account-deliveries.ts'

export function toAccountWebhook(row: ConfigRow | null): z.infer<typeof accountWebhookSchema> {
  if (row === null) return { url: '', enabled: false }
  const { url, enabled, disabledReason } = row
  return { url, enabled, ...(disabledReason === '' ? {} : { disabled_reason: deliveryError(disabledReason) }) }
}

const deliverySchema = accountDeliveriesSchema.shape.deliveries.element

/** Without what only the delivery of a garment has. */
export function toAccountDelivery({ event, delivery }: AccountDelivery): z.infer<typeof deliverySchema> {
  const { uuid: id, ...shown } = toDeliveryResponse(delivery)
  return deliverySchema.parse({ ...shown, id, event })
}
