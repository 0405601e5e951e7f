import { createHash, randomBytes } from 'node:crypto'
import { and, eq, gt, inArray, lte, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { ApiError } from '../platform/http/errors.ts'
import { emailKeyOf } from './email.ts'
import { limitSignUps } from './merchant.ts'
import { type Actor, type Authorship, recordEntry, toActor } from './audit.ts'
import { type Database, hasRow, newId, runBatch, selectValues } from '../platform/db/database.ts'
import { accountDatabase } from '../platform/db/databases.ts'
import { invitations, members, merchants, passwordResets, tenants } from '../platform/db/schema.ts'
import { throttle } from '../platform/limits/throttle.ts'
import { dayMs, hourMs } from '../time.ts'
import { hashPassword, setPassword } from './password.ts'
import { maxMembers, tooManyMembers } from './account-errors.ts'
import type { invitationSchema, NewMember } from './account-fields.ts'
import type { Role } from './permissions.ts'

/** Creates the secret part of a link from 256 random bits. Only its hash is stored. */
const newLinkToken = () => randomBytes(32).toString('base64url')

/** Look-ups compare hashes, so their duration reveals nothing about a token. */
const hashLinkToken = (token: string) => createHash('sha256').update(token).digest('hex')

export const linkTo = (page: 'join' | 'reset', token: string, baseUrl: string) =>
  `${baseUrl}/dashboard/${page}?token=${encodeURIComponent(token)}`

const lifetimeMs = hourMs
const attemptsPerMinute = 60

/** The member whose password is reset. Owners name a member of their account, the operator names an email. */
export type ResetSubject = { readonly merchantId: string; readonly memberId: string } | { readonly email: string }

/** Creates a link to set a member's password. It replaces an earlier link. Throws 404 if there is no such member. */
export async function startReset(db: Database, subject: ResetSubject, nowMs: number, by: Actor) {
  const token = newLinkToken()
  const expiresAt = nowMs + lifetimeMs
  const hash = hashLinkToken(token)
  const values = selectValues(passwordResets, { memberId: members.id, hash, expiresAt })
  const isSubject =
    'email' in subject
      ? eq(members.emailKey, emailKeyOf(subject.email) ?? '')
      : and(eq(members.merchantId, subject.merchantId), eq(members.id, subject.memberId))
  const entry = {
    holderId: db.select({ id: members.merchantId }).from(members).where(isSubject),
    action: 'password.link',
    subject: db.select({ email: members.email }).from(members).where(isSubject),
  } as const
  const { stored } = await runBatch(db, {
    stored: db
      .insert(passwordResets)
      .select(db.select(values).from(members).where(isSubject))
      .onConflictDoUpdate({ target: passwordResets.memberId, set: { hash, expiresAt } })
      .returning({ memberId: passwordResets.memberId }),
    entry: recordEntry(db, entry, { by, at: nowMs }),
  })
  if (stored.length === 0) throw new ApiError('member_not_found')
  return { token, expiresAt }
}

const byToken = (table: typeof passwordResets | typeof invitations, token: string, nowMs: number) =>
  and(eq(table.hash, hashLinkToken(token)), gt(table.expiresAt, nowMs))

export async function getReset(db: Database, token: string, nowMs: number) {
  const { id, merchantId, name, email } = members
  const [found] = await db
    .select({ id, merchantId, name, email })
    .from(passwordResets)
    .innerJoin(members, eq(members.id, passwordResets.memberId))
    .where(byToken(passwordResets, token, nowMs))
  if (found === undefined) throw new ApiError('link_not_valid')
  return found
}

/**
 * Sets a member's password and ends their sessions and tokens. Of two concurrent uses of one link, the second fails.
 */
export async function resetPassword(
  env: Pick<Env, 'DB' | 'THROTTLE'>,
  { token, password, address }: { readonly token: string; readonly password: string; readonly address: string },
  nowMs: number,
): Promise<void> {
  const db = accountDatabase(env)
  await throttle(env, `resets:${address}`, attemptsPerMinute)
  const member = await getReset(db, token, nowMs)
  const entry = { holderId: member.merchantId, action: 'password.reset', subject: '' } as const
  const passwordHash = await hashPassword({ password, caller: `sign-up:${address}` })
  const linkedMember = db
    .select({ id: passwordResets.memberId })
    .from(passwordResets)
    .where(byToken(passwordResets, token, nowMs))
  const { changed } = await runBatch(db, {
    changed: setPassword(db, passwordHash, inArray(members.id, linkedMember)),
    entry: recordEntry(db, entry, { by: toActor(member), at: nowMs }),
    resets: db.delete(passwordResets).where(byToken(passwordResets, token, nowMs)),
  })
  if (changed.length === 0) throw new ApiError('link_not_valid')
}

export async function getInvitation(db: Database, token: string, nowMs: number) {
  const [found] = await db
    .select({ role: invitations.role, company: merchants.company, shop: tenants.name })
    .from(invitations)
    .innerJoin(merchants, eq(merchants.id, invitations.merchantId))
    .leftJoin(tenants, eq(tenants.merchantId, invitations.merchantId))
    .where(byToken(invitations, token, nowMs))
  if (found === undefined) throw new ApiError('link_not_valid')
  return { role: found.role, account: found.shop ?? found.company }
}

/** Adds a person to the account that invited them. Of two concurrent uses of one link, the second fails. */
export async function acceptInvitation(
  env: Pick<Env, 'DB' | 'THROTTLE'>,
  token: string,
  { password, address, ...person }: NewMember & { readonly address: string },
  nowMs: number,
) {
  const db = accountDatabase(env)
  await throttle(env, `invitations:${address}`, attemptsPerMinute)
  // Checks the invitation before the password is hashed, because hashing is slow.
  await getInvitation(db, token, nowMs)
  const passwordHash = await hashPassword({ password, caller: `sign-up:${address}` })
  const row = {
    id: newId(),
    merchantId: invitations.merchantId,
    role: invitations.role,
    ...person,
    emailKey: emailKeyOf(person.email) ?? '',
    passwordHash,
    sessionVersion: 0,
    savedFilters: null,
    createdAt: nowMs,
  }
  const joined = db
    .select(selectValues(members, row))
    .from(invitations)
    .where(byToken(invitations, token, nowMs))
  const merchantId = db.select({ id: members.merchantId }).from(members).where(eq(members.id, row.id))
  const entry = { holderId: merchantId, action: 'member.joined', subject: person.email } as const
  return await limitSignUps(env, { address, countsSuccess: false }, async () => {
    const {
      joined: [member],
      used: [used],
    } = await runBatch(db, {
      joined: db.insert(members).select(joined).onConflictDoNothing().returning(),
      entry: recordEntry(db, entry, { by: toActor(row), at: nowMs }),
      used: db
        .delete(invitations)
        .where(and(byToken(invitations, token, nowMs), hasRow(members, eq(members.id, row.id))))
        .returning({ id: invitations.id }),
    })
    if (member !== undefined && used !== undefined) return member
    await getInvitation(db, token, nowMs)
    throw new ApiError('email_taken')
  })
}

export const invitationDays = 7
const invitationLifetimeMs = invitationDays * dayMs

/** Stores an invitation. Returns the token of its link, which is not stored and never shown again. */
export async function inviteMember(
  db: Database,
  merchantId: string,
  { role, label }: z.infer<typeof invitationSchema>,
  nowMs: number,
  by: Actor,
): Promise<string> {
  const token = newLinkToken()
  const row = {
    id: newId(),
    merchantId,
    role,
    label,
    hash: hashLinkToken(token),
    expiresAt: nowMs + invitationLifetimeMs,
  }
  const memberCount = db.$count(members, eq(members.merchantId, merchantId))
  const invitationCount = db.$count(invitations, eq(invitations.merchantId, merchantId))
  const insertable = db
    .select(selectValues(invitations, row))
    .from(merchants)
    .where(and(eq(merchants.id, merchantId), sql`${memberCount} + ${invitationCount} < ${maxMembers}`))
  const entry = { holderId: merchantId, action: 'member.invited', subject: describe(label, role) } as const
  const { inserted } = await runBatch(db, {
    expired: db
      .delete(invitations)
      .where(and(eq(invitations.merchantId, merchantId), lte(invitations.expiresAt, nowMs))),
    inserted: db.insert(invitations).select(insertable).returning({ id: invitations.id }),
    entry: recordEntry(db, entry, { by, at: nowMs }),
  })
  if (inserted.length === 0) throw tooManyMembers()
  return token
}

export async function withdrawInvitation(
  db: Database,
  merchantId: string,
  id: string,
  authorship: Authorship,
): Promise<void> {
  const isInvitation = and(eq(invitations.merchantId, merchantId), eq(invitations.id, id))
  const subject = db.select({ label: invitations.label }).from(invitations).where(isInvitation)
  const exists = hasRow(invitations, isInvitation)
  await runBatch(db, {
    // The entry reads the label, so it comes before the deletion.
    entry: recordEntry(db, { holderId: merchantId, action: 'member.withdrawn', subject }, authorship, exists),
    invitation: db.delete(invitations).where(isInvitation),
  })
}

const describe = (label: string, role: Role) => (label === '' ? role : `${label}: ${role}`)
