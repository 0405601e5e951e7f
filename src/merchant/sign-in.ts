import { checkPassword, type Credentials } from './password/check-password.ts'
import { invalidCredentials } from './errors.ts'

/** Throws the same 401 for an unknown email and for a wrong password. */
export async function signIn(env: Pick<Env, 'DB' | 'THROTTLE'>, credentials: Credentials) {
  const merchant = await checkPassword(env, credentials)
  if (merchant === null) throw invalidCredentials()
  return merchant
}
