import { createHash, timingSafeEqual } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { accountDatabase } from '../db/databases/find-database.ts'
import { newId } from '../db/ids.ts'
import { members, merchants } from '../db/schema.ts'
import { selectValues } from '../db/select-values.ts'
import { throttle } from '../rate-limit/throttle.ts'
import { settingsOf, signUpOf, type Settings } from '../settings.ts'
import { emailTaken, signUpClosed, wrongSignUpCode } from './errors.ts'
import type { NewMerchant } from './fields.ts'
import { hashPassword } from './password/password.ts'

const signUpsPerMinute = 300

/** Creates an account, and its owner. Returns the owner. `address` is where the request came from. */
export async function signUp(
  env: Pick<Env, 'DB' | 'THROTTLE'>,
  { password, address, sign_up_code: code = '', ...fields }: NewMerchant & { readonly address: string },
  nowMs: number,
) {
  await throttle(env, `sign-up:${address}`, signUpsPerMinute)
  checkCode(settingsOf(env), code)
  // A caller of its own, so that many sign-ups from an address leave room for its sign-ins.
  const passwordHash = await hashPassword({ password, caller: `sign-up:${address}` })
  const db = accountDatabase(env)
  const { company, ...person } = fields
  const id = newId()
  const owner = { id, merchantId: id, role: 'owner', ...person, passwordHash, createdAt: nowMs } as const
  const merchant = { id, company, createdAt: nowMs }
  const ifMember = db.select(selectValues(merchants, merchant)).from(members).where(eq(members.id, id))
  // The unique index on the members' email decides.
  const [[member]] = await db.batch([
    db.insert(members).values(owner).onConflictDoNothing().returning(),
    db.insert(merchants).select(ifMember),
  ])
  if (member === undefined) throw emailTaken()
  return member
}

function checkCode(settings: Settings, code: string): void {
  const mode = signUpOf(settings)
  if (mode === 'open') return
  if (mode === 'closed') throw signUpClosed()
  const hash = (text: string) => createHash('sha256').update(text).digest()
  const expected = settings.SIGN_UP_CODE
  if (expected === undefined || !timingSafeEqual(hash(code.trim()), hash(expected))) throw wrongSignUpCode()
}
