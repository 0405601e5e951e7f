import { maxEndpoints } from '../events/delivery.ts'
import { ApiError } from '../platform/http/errors.ts'

export const invalidConfig = (problems: readonly string[]) =>
  new ApiError('invalid_body', 'Invalid webhook configuration', problems)

export const tooManyEndpoints = () =>
  new ApiError('too_many_endpoints', 'Too many endpoints', [
    `A tenant has at most ${maxEndpoints} webhook endpoints. Delete an endpoint first, or wait until the deliveries of deleted endpoints have ended.`,
  ])
