import { createHash } from 'node:crypto'
import { and, count, eq, exists } from 'drizzle-orm'
import { type Database, newId, randomLetters, runBatch, selectValues } from '../platform/db/database.ts'
import { accountDatabase } from '../platform/db/databases.ts'
import { endedSessions, members, passwordResets, recoveryCodes } from '../platform/db/schema.ts'
import { ApiError } from '../platform/http/errors.ts'
import { type Actor, recordEntry, toActor } from './audit.ts'
import { emailKeyOf } from './email.ts'
import { checkPassword, type Credentials, hashPassword, limitGuessing, setPassword } from './password.ts'

export const recoveryCodeCount = 10

/** 80 random bits, so that a fast hash is enough. */
const codeLetters = 16

const newCode = () => randomLetters(codeLetters).replaceAll(/.{4}(?=.)/g, '$&-')

/** Ignores case, blanks and hyphens, which people change when they copy a code. */
const hashCode = (code: string) =>
  createHash('sha256')
    .update(code.toLowerCase().replaceAll(/[^a-z2-7]/g, ''))
    .digest('hex')

export const recoveryCodesQuery = (db: Database, memberId: string) =>
  db.select({ count: count() }).from(recoveryCodes).where(eq(recoveryCodes.memberId, memberId))

/**
 * Replaces an owner's recovery codes. Returns the new codes, which are not stored and never shown again. Throws 404 if
 * the member is not an owner.
 */
export async function replaceRecoveryCodes(
  env: Pick<Env, 'DB'>,
  member: Pick<typeof members.$inferSelect, 'id' | 'merchantId' | 'email'>,
  nowMs: number,
  by: Actor,
): Promise<readonly string[]> {
  const codes = Array.from({ length: recoveryCodeCount }, newCode)
  const db = accountDatabase(env)
  const isOwner = and(eq(members.id, member.id), eq(members.role, 'owner'))
  const entry = { holderId: member.merchantId, action: 'password.codes', subject: member.email } as const
  const { created } = await runBatch(db, {
    former: db.delete(recoveryCodes).where(eq(recoveryCodes.memberId, member.id)),
    created: codes.map((code) => {
      const row = { id: newId(), memberId: member.id, hash: hashCode(code), createdAt: nowMs }
      return db
        .insert(recoveryCodes)
        .select(db.select(selectValues(recoveryCodes, row)).from(members).where(isOwner))
        .returning({ id: recoveryCodes.id })
    }),
    entry: recordEntry(db, entry, { by, at: nowMs }),
  })
  if (created?.length !== 1) throw new ApiError('member_not_found')
  return codes
}

export async function createRecoveryCodes(
  env: Pick<Env, 'DB' | 'THROTTLE'>,
  memberId: string,
  credentials: Credentials,
  nowMs: number,
  by: Actor,
): Promise<readonly string[]> {
  const member = await checkPassword(env, credentials)
  if (member?.id !== memberId) throw new ApiError('wrong_password')
  return await replaceRecoveryCodes(env, member, nowMs, by)
}

export interface Recovery {
  readonly email: string
  readonly code: string
  readonly newPassword: string
  readonly address: string
}

/**
 * Sets an owner's password by a recovery code, which is used up, and ends all their sessions and tokens. Counts as a
 * guess, like a password. Throws the same 401 for an unknown email and for a wrong code.
 */
export async function recoverAccount(
  env: Pick<Env, 'DB' | 'THROTTLE'>,
  { email, code, newPassword, address }: Recovery,
  nowMs: number,
) {
  const db = accountDatabase(env)
  const emailKey = emailKeyOf(email) ?? email
  const hash = hashCode(code)
  const isUnused = exists(
    db
      .select({ id: recoveryCodes.id })
      .from(recoveryCodes)
      .where(and(eq(recoveryCodes.memberId, members.id), eq(recoveryCodes.hash, hash))),
  )
  const isOwner = and(eq(members.emailKey, emailKey), eq(members.role, 'owner'), isUnused)
  const check = async () => (await db.select().from(members).where(isOwner))[0] ?? null
  const member = await limitGuessing(env, { emailKey, address }, check)
  if (member === null) throw new ApiError('invalid_credentials')
  const passwordHash = await hashPassword({ password: newPassword, caller: address })
  const entry = { holderId: member.merchantId, action: 'password.recovered', subject: email } as const
  const {
    changed: [changed],
  } = await runBatch(db, {
    // The condition includes the unused code, so that only one of two concurrent uses succeeds.
    changed: setPassword(db, passwordHash, and(eq(members.id, member.id), isOwner)),
    entry: recordEntry(db, entry, { by: toActor(member), at: nowMs }),
    used: db.delete(recoveryCodes).where(and(eq(recoveryCodes.memberId, member.id), eq(recoveryCodes.hash, hash))),
    resets: db.delete(passwordResets).where(eq(passwordResets.memberId, member.id)),
    sessions: db.delete(endedSessions).where(eq(endedSessions.memberId, member.id)),
  })
  if (changed === undefined) throw new ApiError('invalid_credentials')
  return changed
}
