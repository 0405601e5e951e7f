import { and, asc, eq, gt, inArray, ne, not, or, sql, type SQL } from 'drizzle-orm'
import { ApiError } from '../platform/http/errors.ts'
import { type Database, hasRow, runBatch } from '../platform/db/database.ts'
import { invitations, members, passwordResets, recoveryCodes } from '../platform/db/schema.ts'
import { maxMembers } from './account-errors.ts'
import type { Role } from './permissions.ts'
import { type Made, recordEntry } from './audit.ts'

export type Team = Awaited<ReturnType<typeof listMembers>>

/** The members of an account and its invitations that can still be used, the oldest first. */
export async function listMembers(db: Database, merchantId: string, nowMs: number) {
  const { id, name, email, role, createdAt } = members
  const { label, expiresAt } = invitations
  return await runBatch(db, {
    members: db
      .select({ id, name, email, role, createdAt })
      .from(members)
      .where(eq(members.merchantId, merchantId))
      .orderBy(asc(createdAt), asc(id))
      .limit(maxMembers),
    invitations: db
      .select({ id: invitations.id, label, role: invitations.role, expiresAt })
      .from(invitations)
      .where(and(eq(invitations.merchantId, merchantId), gt(invitations.expiresAt, nowMs)))
      .orderBy(asc(invitations.expiresAt))
      .limit(maxMembers),
  })
}

const isMember = (merchantId: string, memberId: string) =>
  and(eq(members.merchantId, merchantId), eq(members.id, memberId))

const emailOf = (memberId: string) => sql`(SELECT email FROM ${members} WHERE id = ${memberId})`

/** Part of the statement that removes an owner, so that two owners cannot remove each other concurrently. */
const leavesAnOwner = (merchantId: string) =>
  or(
    sql`${members.role} <> 'owner'`,
    sql`(SELECT count(*) FROM members AS other WHERE other.merchant_id = ${merchantId} AND other.role = 'owner') > 1`,
  )

/**
 * The statements that end all open links of an account where an owner goes, for the batch, before the change. Links do
 * not say who made them, and their maker could come back by one.
 */
function endLinks(db: Database, merchantId: string, goes: SQL | undefined) {
  const ownerGoes = hasRow(members, and(goes, eq(members.role, 'owner')))
  const team = db.select({ id: members.id }).from(members).where(eq(members.merchantId, merchantId))
  return [
    db.delete(invitations).where(and(eq(invitations.merchantId, merchantId), ownerGoes)),
    db.delete(passwordResets).where(and(inArray(passwordResets.memberId, team), ownerGoes)),
  ] as const
}

/** Gives a member another role, which holds from the next request on. Throws 404, or 409 for the last owner. */
export async function changeRole(
  db: Database,
  merchantId: string,
  { memberId, role }: { readonly memberId: string; readonly role: Role },
  made: Made,
): Promise<void> {
  const subject = sql`${emailOf(memberId)} || ${`: ${role}`}`
  const mayChange = and(isMember(merchantId, memberId), role === 'owner' ? undefined : leavesAnOwner(merchantId))
  const { changed } = await runBatch(db, {
    links: endLinks(db, merchantId, and(mayChange, ne(members.role, role))),
    changed: db.update(members).set({ role }).where(mayChange).returning({ id: members.id }),
    entry: recordEntry(db, { holderId: merchantId, action: 'member.role', subject }, made),
  })
  if (changed.length === 0) await throwUnchanged(db, merchantId, memberId)
}

/** Removes a member, whose sessions and tokens end with that. Throws 404, or 409 for the last owner. */
export async function removeMember(db: Database, merchantId: string, memberId: string, made: Made): Promise<void> {
  const mayGo = and(isMember(merchantId, memberId), leavesAnOwner(merchantId))
  const entry = { holderId: merchantId, action: 'member.removed', subject: emailOf(memberId) } as const
  const { removed } = await runBatch(db, {
    links: endLinks(db, merchantId, mayGo),
    // Before the member is deleted, while the email is there.
    entry: recordEntry(db, entry, made, hasRow(members, mayGo)),
    removed: db.delete(members).where(mayGo).returning({ id: members.id }),
    resets: db
      .delete(passwordResets)
      .where(and(eq(passwordResets.memberId, memberId), not(hasRow(members, eq(members.id, passwordResets.memberId))))),
    codes: db
      .delete(recoveryCodes)
      .where(and(eq(recoveryCodes.memberId, memberId), not(hasRow(members, eq(members.id, recoveryCodes.memberId))))),
  })
  if (removed.length === 0) await throwUnchanged(db, merchantId, memberId)
}

async function throwUnchanged(db: Database, merchantId: string, memberId: string): Promise<never> {
  const [member] = await db.select({ id: members.id }).from(members).where(isMember(merchantId, memberId))
  throw member === undefined ? new ApiError('member_not_found') : new ApiError('last_owner')
}
