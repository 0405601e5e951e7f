import { eq } from 'drizzle-orm'
import { createLimit } from '../../bounds/limit.ts'
import { accountDatabase } from '../../db/databases/find-database.ts'
import { members } from '../../db/schema.ts'
import { tooManySignIns } from '../errors.ts'
import { limitGuessing } from '../limit-guessing.ts'
import { isPassword } from './password.ts'

/** `address` is where the request came from. */
export interface Credentials {
  readonly email: string
  readonly password: string
  readonly address: string
  /** A browser in which this email has signed in before. */
  readonly device?: string | undefined
}

/**
 * About as many as are hashed in the time that one waits. Each guess asks three objects, so a flood stops before them.
 * One password is hashed at a time, so that a few that act keep the slot busy.
 */
const admit = createLimit({
  perKey: 3,
  waitingPerKey: 17,
  maxWaitMs: 10_000,
  busy: tooManySignIns,
})

/** The member with this email and password, or null, in the same time for an unknown email. */
export async function checkPassword(
  env: Pick<Env, 'DB' | 'THROTTLE'>,
  { email, password, address, device }: Credentials,
) {
  const check = async () => {
    const [member] = await accountDatabase(env).select().from(members).where(eq(members.email, email))
    const isRight = await isPassword({ password, caller: address }, member?.passwordHash ?? null)
    return isRight && member !== undefined ? member : null
  }
  return await admit(address, async () => limitGuessing(env, { email, address, device }, check))
}
