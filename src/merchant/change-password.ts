import { and, eq, sql } from 'drizzle-orm'
import { accountDatabase } from '../db/databases/find-database.ts'
import { merchants } from '../db/schema.ts'
import { checkPassword } from './check-password.ts'
import { wrongPassword } from './errors.ts'
import { hashPassword } from './password/password.ts'

export interface PasswordChange {
  readonly email: string
  readonly password: string
  readonly newPassword: string
  readonly address: string
}

/** Sets a new password and ends all sessions and tokens. Returns the merchant as it is now. */
export async function changePassword(
  env: Pick<Env, 'DB' | 'THROTTLE'>,
  merchantId: string,
  { newPassword, ...credentials }: PasswordChange,
) {
  const merchant = await checkPassword(env, credentials)
  if (merchant === null) throw wrongPassword()
  const passwordHash = await hashPassword({ password: newPassword, caller: credentials.address })
  // Bound to the hash that was checked: of two changes at once one is refused.
  const [changed] = await accountDatabase(env)
    .update(merchants)
    .set({ passwordHash, sessionVersion: sql`${merchants.sessionVersion} + 1` })
    .where(and(eq(merchants.id, merchantId), eq(merchants.passwordHash, merchant.passwordHash)))
    .returning()
  if (changed === undefined) throw wrongPassword()
  return changed
}
