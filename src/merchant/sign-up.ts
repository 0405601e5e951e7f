import { accountDatabase } from '../db/databases/find-database.ts'
import { newId } from '../db/ids.ts'
import { merchants } from '../db/schema.ts'
import { throttle } from '../rate-limit/throttle.ts'
import { emailTaken } from './errors.ts'
import type { NewMerchant } from './fields.ts'
import { hashPassword } from './password/password.ts'

const signUpsPerMinute = 300

/** `address` is where the request came from. */
export async function signUp(
  env: Pick<Env, 'DB' | 'THROTTLE'>,
  { password, address, ...fields }: NewMerchant & { readonly address: string },
  nowMs: number,
) {
  await throttle(env, `sign-up:${address}`, signUpsPerMinute)
  // A caller of its own, so that many sign-ups from an address leave room for its sign-ins.
  const passwordHash = await hashPassword({ password, caller: `sign-up:${address}` })
  const row = { id: newId(), ...fields, passwordHash, createdAt: nowMs }
  const [merchant] = await accountDatabase(env).insert(merchants).values(row).onConflictDoNothing().returning()
  if (merchant === undefined) throw emailTaken()
  return merchant
}
