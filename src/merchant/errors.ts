import { ApiError } from '../http/errors.ts'

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
