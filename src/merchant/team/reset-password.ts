import { and, eq, gt, inArray, sql } from 'drizzle-orm'
import { recordEntry, type Actor } from '../../audit/record-entry.ts'
import type { Database } from '../../db/client.ts'
import { accountDatabase } from '../../db/databases/find-database.ts'
import { members, passwordResets } from '../../db/schema.ts'
import { selectValues } from '../../db/select-values.ts'
import { throttle } from '../../rate-limit/throttle.ts'
import { hourMs } from '../../time.ts'
import { hashPassword } from '../password/password.ts'
import { toActor } from '../to-actor.ts'
import { linkNotValid, memberNotFound } from './errors.ts'
import { hashLinkToken, newLinkToken } from './link-token.ts'

const lifetimeMs = hourMs
const attemptsPerMinute = 60

/** A member of an account, for its owners; or whoever has this email, for the operator. */
export type ResetSubject = { readonly merchantId: string; readonly memberId: string } | { readonly email: string }

export interface ResetLink {
  readonly token: string
  readonly expiresAt: number
}

/**
 * Makes a link by which a member sets a new password; it replaces an earlier one. Throws 404 if there is no such
 * member.
 */
export async function startReset(db: Database, subject: ResetSubject, nowMs: number, by: Actor): Promise<ResetLink> {
  const token = newLinkToken()
  const expiresAt = nowMs + lifetimeMs
  const hash = hashLinkToken(token)
  const values = selectValues(passwordResets, { memberId: sql`${members.id}`, hash, expiresAt })
  const isSubject =
    'email' in subject
      ? eq(members.email, subject.email)
      : and(eq(members.merchantId, subject.merchantId), eq(members.id, subject.memberId))
  const select = (column: 'merchant_id' | 'email') =>
    sql`(SELECT ${sql.identifier(column)} FROM ${members} WHERE ${isSubject})`
  const entry = { holderId: select('merchant_id'), action: 'password.link', subject: select('email') } as const
  const [[stored]] = await db.batch([
    db
      .insert(passwordResets)
      .select(db.select(values).from(members).where(isSubject))
      .onConflictDoUpdate({ target: passwordResets.memberId, set: { hash, expiresAt } })
      .returning({ memberId: passwordResets.memberId }),
    ...recordEntry(db, entry, { by, at: nowMs }),
  ])
  if (stored === undefined) throw memberNotFound()
  return { token, expiresAt }
}

const byToken = (token: string, nowMs: number) =>
  and(eq(passwordResets.hash, hashLinkToken(token)), gt(passwordResets.expiresAt, nowMs))

/** Whose password a link sets. Throws 404 for a link that is not valid. */
export async function getReset(db: Database, token: string, nowMs: number) {
  const { id, merchantId, name, email } = members
  const [found] = await db
    .select({ id, merchantId, name, email })
    .from(passwordResets)
    .innerJoin(members, eq(members.id, passwordResets.memberId))
    .where(byToken(token, nowMs))
  if (found === undefined) throw linkNotValid()
  return found
}

/**
 * Sets a new password and ends all sessions and tokens of the member. Of two concurrent uses of a link, one is refused.
 */
export async function resetPassword(
  env: Pick<Env, 'DB' | 'THROTTLE'>,
  { token, password, address }: { readonly token: string; readonly password: string; readonly address: string },
  nowMs: number,
): Promise<void> {
  const db = accountDatabase(env)
  await throttle(env, `resets:${address}`, attemptsPerMinute)
  // Before the password is hashed, which is slow.
  const member = await getReset(db, token, nowMs)
  const entry = { holderId: member.merchantId, action: 'password.reset', subject: '' } as const
  const passwordHash = await hashPassword({ password, caller: `sign-up:${address}` })
  const ofLink = db.select({ id: passwordResets.memberId }).from(passwordResets).where(byToken(token, nowMs))
  const [[changed]] = await db.batch([
    db
      .update(members)
      .set({ passwordHash, sessionVersion: sql`${members.sessionVersion} + 1` })
      .where(inArray(members.id, ofLink))
      .returning({ id: members.id }),
    ...recordEntry(db, entry, { by: toActor(member), at: nowMs }),
    db.delete(passwordResets).where(byToken(token, nowMs)),
  ])
  if (changed === undefined) throw linkNotValid()
}
