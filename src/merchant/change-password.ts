import { and, eq, sql } from 'drizzle-orm'
import { recordEntry } from '../audit/record-entry.ts'
import { accountDatabase } from '../db/databases/find-database.ts'
import { members, passwordResets } from '../db/schema.ts'
import { checkPassword } from './password/check-password.ts'
import { wrongPassword } from './errors.ts'
import { toActor } from './to-actor.ts'
import { hashPassword } from './password/password.ts'

export interface PasswordChange {
  readonly email: string
  readonly password: string
  readonly newPassword: string
  readonly address: string
  readonly device?: string | undefined
}

/** Sets a new password and ends all sessions and tokens of the member. Returns the member as it is now. */
export async function changePassword(
  env: Pick<Env, 'DB' | 'THROTTLE'>,
  memberId: string,
  { newPassword, ...credentials }: PasswordChange,
  nowMs: number,
) {
  const member = await checkPassword(env, credentials)
  if (member === null) throw wrongPassword()
  const passwordHash = await hashPassword({ password: newPassword, caller: credentials.address })
  // Depends on the hash that was checked, so that of two concurrent changes one is refused.
  const db = accountDatabase(env)
  const [[changed]] = await db.batch([
    db
      .update(members)
      .set({ passwordHash, sessionVersion: sql`${members.sessionVersion} + 1` })
      .where(and(eq(members.id, memberId), eq(members.passwordHash, member.passwordHash)))
      .returning(),
    ...recordEntry(
      db,
      { holderId: member.merchantId, action: 'password.changed', subject: '' },
      { by: toActor(member), at: nowMs },
    ),
    db.delete(passwordResets).where(eq(passwordResets.memberId, memberId)),
  ])
  if (changed === undefined) throw wrongPassword()
  return changed
}
