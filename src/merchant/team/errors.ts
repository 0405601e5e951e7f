import { ApiError } from '../../http/errors.ts'

export const roleNotAllowed = (role: string, least: string) =>
  new ApiError('role_not_allowed', 'Not allowed for your role', [
    `This needs the role ${least}, and yours is ${role}. Ask an owner of the account.`,
  ])

export const memberNotFound = () => new ApiError('member_not_found', 'Member not found', ['There is no such member.'])

export const lastOwner = () =>
  new ApiError('last_owner', 'Last owner', ['An account needs an owner; make somebody else an owner first.'])

/** Of members and open invitations together. */
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
