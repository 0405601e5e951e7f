import { eq } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { merchants } from '../db/schema.ts'
import { ApiError } from '../http/errors.ts'
import { isPassword } from './password.ts'
import { issueToken } from './token.ts'

export interface Credentials {
  readonly email: string
  readonly password: string
}

/** The same answer in the same time for an e-mail nobody has and for a wrong password. */
export async function signIn(db: Database, credentials: Credentials, secret: string, now: number) {
  const [merchant] = await db.select().from(merchants).where(eq(merchants.email, credentials.email))
  const correct = await isPassword(credentials.password, merchant?.passwordHash ?? null)
  if (merchant === undefined || !correct)
    throw new ApiError(401, 'Invalid credentials', ['The email or the password is wrong.'])
  const { id, email, name } = merchant
  return { token: await issueToken(id, secret, now), user: { id, email, name } }
}
