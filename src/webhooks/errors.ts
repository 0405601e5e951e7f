import { maxEndpoints } from '../events/delivery.ts'
import { ApiError } from '../platform/http/errors.ts'

export const invalidConfig = (problems: readonly string[]) =>
  new ApiError('invalid_body', 'Invalid webhook configuration', problems)

export const configUnreadable = () =>
  new ApiError('webhook_unreadable', 'Webhook configuration unreadable', [
    'The stored secret and headers can no longer be decrypted; put the configuration again.',
  ])

export const webhookNotConfigured = () =>
  new ApiError('webhook_not_configured', 'Webhook not configured', ['Configure a webhook URL before testing it.'])

export const deliveryNotFound = () =>
  new ApiError('delivery_not_found', 'Delivery not found', [
    'uuid: there is no webhook delivery for a garment of this uuid',
  ])

export const webhookOff = () =>
  new ApiError('webhook_off', 'Webhook is off', ['Enable the webhook before redelivering.'])

export const endpointNotFound = () =>
  new ApiError('endpoint_not_found', 'Endpoint not found', ['endpoint: there is no webhook endpoint of this id'])

export const accountEndpointProtected = () =>
  new ApiError('account_events', 'Endpoint has events of the account', [
    'events: only an owner asks for events of the account, in the dashboard, and changes or deletes an endpoint that has them',
  ])

export const tooManyEndpoints = () =>
  new ApiError('too_many_endpoints', 'Too many endpoints', [
    `A tenant has at most ${maxEndpoints} webhook endpoints; delete one first, or wait until the deliveries of deleted ones have ended.`,
  ])

export const attemptUnderWay = () =>
  new ApiError('attempt_under_way', 'Attempt under way', [
    'An attempt is being made at the moment; look at its outcome first.',
  ])

export const redeliveryUnderWay = () =>
  new ApiError('redelivery_under_way', 'Redelivery under way', [
    'The redelivery of an earlier time range has not ended yet; wait until it has.',
  ])
