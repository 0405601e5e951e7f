import { tooManyRequests } from '../http/common-errors.ts'
import { ApiError } from '../http/errors.ts'

/** Of an account. */
export const creationsPerDay = 10

export const tenantNotFound = () =>
  new ApiError('tenant_not_found', 'Tenant not found', ['This merchant has no tenant; create one first.'])

export const domainTaken = () => new ApiError('domain_taken', 'Domain already exists', ['domain: this domain is taken'])

export const tenantExists = () =>
  new ApiError('tenant_exists', 'Tenant already exists', ['A merchant has at most one tenant; delete it first.'])

export const tooManyTenants = (waitMs: number) =>
  tooManyRequests(`${creationsPerDay} tenants of an account can be created in 24 hours`, waitMs)

export const tenantActive = () =>
  new ApiError('tenant_active', 'Tenant has active data', [
    'A garment is still being tagged or a webhook delivery is pending; wait, or switch the webhook off.',
  ])

export const noRoomForTenant = () =>
  new ApiError('no_room', 'No room', ['The service has no room for new tenants; ask its operator for more.'])
