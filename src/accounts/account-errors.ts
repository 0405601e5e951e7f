import { ApiError, tooManyRequests } from '../platform/http/errors.ts'

export const signUpClosed = () =>
  new ApiError('sign_up_not_allowed', 'Sign-up not allowed', ['The operator of the service creates no new accounts.'])

export const wrongSignUpCode = () =>
  new ApiError('sign_up_not_allowed', 'Sign-up not allowed', [
    'sign_up_code: this is not the code that the operator of the service gives out',
  ])

export const tooManySignIns = () =>
  new ApiError('overloaded', 'Service overloaded', ['Too many sign-ins at the same time; try again in a moment.'], {
    'Retry-After': '5',
  })

export const roleNotAllowed = (role: string, least: string) =>
  new ApiError('role_not_allowed', 'Not allowed for your role', [
    `This needs the role ${least}, and yours is ${role}. Ask an owner of the account.`,
  ])

export const maxMembers = 50

export const tooManyMembers = () =>
  new ApiError('too_many_members', 'Too many members', [
    `An account has at most ${maxMembers} members and open invitations; remove one first.`,
  ])

export const creationsPerDay = 10

export const tooManyTenants = (waitMs: number) =>
  tooManyRequests(`${creationsPerDay} tenants can be created per account in 24 hours`, waitMs)

export const tooManySignUps = (perDay: number, waitMs: number) =>
  tooManyRequests(`${perDay} accounts can be created from one address in 24 hours`, waitMs)

export const noRoomForTenant = () =>
  new ApiError('no_room', 'No room', ['The service has no room for new tenants. Ask its operator to add a database.'])
