import { eq } from 'drizzle-orm'
import { openDatabase } from '../db/client.ts'
import { merchants } from '../db/schema.ts'
import { limitGuessing } from './limit-guessing.ts'
import { isPassword } from './password/password.ts'

/** `address` is where the request came from. */
export interface Credentials {
  readonly email: string
  readonly password: string
  readonly address: string
}

/** The merchant with this email and password, or null, in the same time for an unknown email. */
export async function checkPassword(env: Pick<Env, 'DB' | 'THROTTLE'>, { email, password, address }: Credentials) {
  return await limitGuessing(env, { email, address }, async () => {
    const [merchant] = await openDatabase(env.DB).select().from(merchants).where(eq(merchants.email, email))
    const isRight = await isPassword({ password, caller: address }, merchant?.passwordHash ?? null)
    return isRight && merchant !== undefined ? merchant : null
  })
}
