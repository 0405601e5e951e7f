import { ApiError, tooManyRequests } from '../platform/http/errors.ts'

export const emailTaken = () =>
  new ApiError('email_taken', 'Email already exists', ['email: a merchant with this email already exists'])

export const signUpClosed = () =>
  new ApiError('sign_up_not_allowed', 'Sign-up not allowed', ['The operator of the service creates no new accounts.'])

export const wrongSignUpCode = () =>
  new ApiError('sign_up_not_allowed', 'Sign-up not allowed', [
    'sign_up_code: this is not the code that the operator of the service gives out',
  ])

export const wrongPassword = () =>
  new ApiError('wrong_password', 'Wrong password', ['password: this is not the current password'])

/** The same for an unknown email and for a wrong password. */
export const invalidCredentials = () =>
  new ApiError('invalid_credentials', 'Invalid credentials', ['The email or the password is wrong.'])

export const merchantHasTenant = () =>
  new ApiError('merchant_has_tenant', 'Merchant has a tenant', [
    'Delete the tenant first; then the account can be deleted.',
  ])

export const tooManySignIns = () =>
  new ApiError('overloaded', 'Service overloaded', ['Too many sign-ins at the same time; try again in a moment.'], {
    'Retry-After': '5',
  })

export const roleNotAllowed = (role: string, least: string) =>
  new ApiError('role_not_allowed', 'Not allowed for your role', [
    `This needs the role ${least}, and yours is ${role}. Ask an owner of the account.`,
  ])

export const memberNotFound = () => new ApiError('member_not_found', 'Member not found', ['There is no such member.'])

export const lastOwner = () =>
  new ApiError('last_owner', 'Last owner', ['An account needs an owner; make somebody else an owner first.'])

/** Members and open invitations together. */
export const maxMembers = 50

export const tooManyMembers = () =>
  new ApiError('too_many_members', 'Too many members', [
    `An account has at most ${maxMembers} members and open invitations; remove one first.`,
  ])

/** The same for one that was used, has expired, was withdrawn or never existed. */
export const linkNotValid = () =>
  new ApiError('link_not_valid', 'This link is not valid', [
    'It was used already, or is too old. Ask whoever gave it to you for a new one.',
  ])

/** How many an account may create in a day. */
export const creationsPerDay = 10

export const tenantNotFound = () =>
  new ApiError('tenant_not_found', 'Tenant not found', ['This merchant has no tenant; create one first.'])

export const domainTaken = () =>
  new ApiError('domain_taken', 'Domain already exists', [
    'domain: this domain is taken; GET /merchant/tenant shows whether by your own tenant.',
  ])

export const tenantExists = () =>
  new ApiError('tenant_exists', 'Tenant already exists', [
    'A merchant has one tenant: GET /merchant/tenant shows yours, and keys for its domain are made by POST /merchant/tenant/api-key.',
  ])

export const tooManyTenants = (waitMs: number) =>
  tooManyRequests(`${creationsPerDay} tenants of an account can be created in 24 hours`, waitMs)

export const tooManySignUps = (perDay: number, waitMs: number) =>
  tooManyRequests(`${perDay} accounts can be created from an address in 24 hours`, waitMs)

export const tenantActive = () =>
  new ApiError('tenant_active', 'Tenant has active data', [
    'A garment is still being tagged or a webhook delivery is pending; wait, or switch the webhook off.',
  ])

export const noRoomForTenant = () =>
  new ApiError('no_room', 'No room', ['The service has no room for new tenants; ask its operator for more.'])
