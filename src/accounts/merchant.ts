import { waitUntil } from 'cloudflare:workers'
import { createHash, timingSafeEqual } from 'node:crypto'
import { and, eq, inArray, lte, ne, not, sql } from 'drizzle-orm'
import { accountDatabase } from '../platform/db/databases.ts'
import { emailKeyOf } from './email.ts'
import { type Database, hasRow, inValues, newId, runBatch, selectValues } from '../platform/db/database.ts'
import {
  auditEntries,
  endedSessions,
  invitations,
  members,
  merchants,
  passwordResets,
  recoveryCodes,
  tenantPurges,
  tenants,
} from '../platform/db/schema.ts'
import { throttle, throttleOf } from '../platform/limits/throttle.ts'
import { type Settings, settingsOf, signUpOf, signUpsPerDayOf } from '../settings.ts'
import { dayMs } from '../time.ts'
import { signUpClosed, tooManySignUps, wrongSignUpCode } from './account-errors.ts'
import type { NewMerchant } from './account-fields.ts'
import { checkPassword, type Credentials, hashPassword, setPassword } from './password.ts'
import { recordEntry, toActor } from './audit.ts'
import { ApiError } from '../platform/http/errors.ts'
import { tryToRecordDeletion } from '../platform/deletions.ts'

const signUpsPerMinute = 300

export async function signUp(
  env: Pick<Env, 'DB' | 'THROTTLE'>,
  { password, address, sign_up_code: code = '', ...fields }: NewMerchant & { readonly address: string },
  nowMs: number,
) {
  await throttle(env, `sign-up:${address}`, signUpsPerMinute)
  const mode = signUpOf(settingsOf(env))
  if (mode === 'closed') throw signUpClosed()
  if (mode === 'code' && code === '') throw wrongSignUpCode()
  return await limitSignUps(env, { address, countsSuccess: true }, async () => {
    if (mode === 'code' && !isSignUpCode(settingsOf(env), code)) throw wrongSignUpCode()
    return await storeAccount(env, { password, address, ...fields }, nowMs)
  })
}

interface SignUpLimit {
  readonly address: string
  readonly countsSuccess: boolean
}

/**
 * Runs `act` within the daily sign-ups of an address. Successes count if `countsSuccess`. A wrong sign-up code and a
 * taken email always count, so that nobody can guess codes or probe for accounts.
 */
export async function limitSignUps<T>(
  env: Pick<Env, 'THROTTLE'>,
  { address, countsSuccess }: SignUpLimit,
  act: () => Promise<T>,
): Promise<T> {
  const perDay = signUpsPerDayOf(settingsOf(env))
  const signUps = throttleOf(env, `sign-ups:${address}`)
  const place = await signUps.reserve(perDay, dayMs)
  if (!place.ok) throw tooManySignUps(perDay, place.retryAfterMs)
  let isCounted = countsSuccess
  try {
    return await act()
  } catch (error) {
    isCounted = error instanceof ApiError && (error.code === 'email_taken' || error.code === 'sign_up_not_allowed')
    throw error
  } finally {
    if (!isCounted) await signUps.release(place.at)
  }
}

async function storeAccount(
  env: Pick<Env, 'DB'>,
  { password, address, ...fields }: Omit<NewMerchant, 'sign_up_code'> & { readonly address: string },
  nowMs: number,
) {
  // Sign-ups wait apart from sign-ins, so that an address's sign-ups cannot block its sign-ins.
  const passwordHash = await hashPassword({ password, caller: `sign-up:${address}` })
  const db = accountDatabase(env)
  const { company, ...person } = fields
  const id = newId()
  const emailKey = emailKeyOf(person.email) ?? ''
  const owner = { id, merchantId: id, role: 'owner', ...person, emailKey, passwordHash, createdAt: nowMs } as const
  const merchant = { id, company, createdAt: nowMs, isConfirmed: false }
  const ifMember = db.select(selectValues(merchants, merchant)).from(members).where(eq(members.id, id))
  // No check first: the unique index on member email rejects duplicates.
  const {
    member: [member],
  } = await runBatch(db, {
    member: db.insert(members).values(owner).onConflictDoNothing().returning(),
    merchant: db.insert(merchants).select(ifMember),
  })
  if (member === undefined) throw new ApiError('email_taken')
  return member
}

function isSignUpCode({ SIGN_UP_CODE: expected }: Settings, code: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return expected !== undefined && timingSafeEqual(hash(code.trim()), hash(expected))
}

export async function changePassword(
  env: Pick<Env, 'DB' | 'THROTTLE'>,
  memberId: string,
  { newPassword, ...credentials }: Credentials & { readonly newPassword: string },
  nowMs: number,
) {
  const member = await checkPassword(env, credentials)
  if (member === null) throw new ApiError('wrong_password')
  const passwordHash = await hashPassword({ password: newPassword, caller: credentials.address })
  // The condition names the checked hash, so that only one of two concurrent changes succeeds.
  const isSame = and(eq(members.id, memberId), eq(members.passwordHash, member.passwordHash))
  const entry = { holderId: member.merchantId, action: 'password.changed', subject: '' } as const
  const db = accountDatabase(env)
  const {
    changed: [changed],
  } = await runBatch(db, {
    changed: setPassword(db, passwordHash, isSame),
    entry: recordEntry(db, entry, { by: toActor(member), at: nowMs }),
    resets: db.delete(passwordResets).where(eq(passwordResets.memberId, memberId)),
  })
  if (changed === undefined) throw new ApiError('wrong_password')
  return changed
}

/**
 * Changes a member's name and email. Requires the password, because the email can be used to take over the account.
 * Throws 400 if the password is wrong or the email is taken.
 */
export async function changeDetails(
  env: Pick<Env, 'DB' | 'THROTTLE'>,
  memberId: string,
  { name, newEmail, ...credentials }: Credentials & { readonly name: string; readonly newEmail: string },
  nowMs: number,
): Promise<void> {
  const member = await checkPassword(env, credentials)
  if (member === null) throw new ApiError('wrong_password')
  const db = accountDatabase(env)
  const emailKey = emailKeyOf(newEmail) ?? ''
  const isTaken = hasRow(members, and(eq(members.emailKey, emailKey), ne(members.id, memberId)))
  const entry = { holderId: member.merchantId, action: 'member.changed', subject: `${name}, ${newEmail}` } as const
  await limitSignUps(env, { address: credentials.address, countsSuccess: false }, async () => {
    const { changed } = await runBatch(db, {
      changed: db
        .update(members)
        .set({ name, email: newEmail, emailKey })
        .where(and(eq(members.id, memberId), not(isTaken)))
        .returning({ id: members.id }),
      entry: recordEntry(db, entry, { by: toActor(member), at: nowMs }),
      // A link may have been mailed to the former address.
      resets: db.delete(passwordResets).where(eq(passwordResets.memberId, memberId)),
    })
    if (changed.length === 0) throw new ApiError('email_taken')
  })
}

/** Deletes an account with its members, sessions and tokens. Throws 409 while it has a tenant. */
export async function deleteMerchant(
  env: Pick<Env, 'DB' | 'PICTURES'>,
  merchantId: string,
  nowMs: number,
): Promise<void> {
  if ((await deleteMerchants(accountDatabase(env), [merchantId], nowMs)) === 0)
    throw new ApiError('merchant_has_tenant')
  await tryToRecordDeletion(env.PICTURES, { kind: 'merchant', id: merchantId }, nowMs)
}

/** Deletes accounts, except those with a tenant. The sweep removes their audit logs. Returns how many it deleted. */
export async function deleteMerchants(db: Database, ids: readonly string[], nowMs: number): Promise<number> {
  const isDeleted = and(inValues(merchants.id, ids), not(hasRow(tenants, eq(tenants.merchantId, merchants.id))))
  const deletedIds = db.select({ id: merchants.id }).from(merchants).where(isDeleted)
  const team = db.select({ id: members.id }).from(members).where(inArray(members.merchantId, deletedIds))
  const purges = db
    .select(selectValues(tenantPurges, { tenantId: merchants.id, requestedAt: nowMs, nextAt: nowMs }))
    .from(merchants)
    .where(and(isDeleted, hasRow(auditEntries, eq(auditEntries.holderId, merchants.id))))
  const { deleted } = await runBatch(db, {
    sessions: db.delete(endedSessions).where(inArray(endedSessions.memberId, team)),
    resets: db.delete(passwordResets).where(inArray(passwordResets.memberId, team)),
    codes: db.delete(recoveryCodes).where(inArray(recoveryCodes.memberId, team)),
    invitations: db.delete(invitations).where(inArray(invitations.merchantId, deletedIds)),
    log: db.insert(tenantPurges).select(purges).onConflictDoNothing(),
    members: db.delete(members).where(inArray(members.merchantId, deletedIds)),
    deleted: db.delete(merchants).where(isDeleted).returning({ id: merchants.id }),
  })
  return deleted.length
}

/** Returns the member with this email and password. Throws the same 401 for an unknown email and a wrong password. */
export async function signIn(env: Pick<Env, 'DB' | 'THROTTLE'>, credentials: Credentials) {
  const merchant = await checkPassword(env, credentials)
  if (merchant === null) throw new ApiError('invalid_credentials')
  // Not awaited: the next sign-in repeats it if it fails.
  waitUntil(confirmMerchant(accountDatabase(env), merchant.merchantId).execute())
  return merchant
}

/** Marks an account as used, so that `removeUnconfirmed` keeps it. */
export const confirmMerchant = (db: Database, merchantId: string) =>
  db
    .update(merchants)
    .set({ isConfirmed: true })
    .where(and(eq(merchants.id, merchantId), eq(merchants.isConfirmed, false)))

const unconfirmedMs = 30 * dayMs
const maxRemoved = 100

export async function removeUnconfirmed(db: Database, nowMs: number): Promise<void> {
  const found = await db
    .select({ id: merchants.id })
    .from(merchants)
    // Raw, because SQLite uses the partial index only for its literal condition.
    .where(and(sql`is_confirmed = 0`, lte(merchants.createdAt, nowMs - unconfirmedMs)))
    .limit(maxRemoved)
  const ids = found.map(({ id }) => id)
  if (ids.length > 0) await deleteMerchants(db, ids, nowMs)
}
