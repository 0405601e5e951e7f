import { ApiError } from '../http/errors.ts'
import { checkPassword, type Credentials } from './check-password.ts'

/** Throws the same 401 for an unknown email and for a wrong password. */
export async function signIn(env: Pick<Env, 'DB' | 'THROTTLE'>, credentials: Credentials) {
  const merchant = await checkPassword(env, credentials)
  if (merchant === null) throw new ApiError(401, 'Invalid credentials', ['The email or the password is wrong.'])
  return merchant
}
