import { and, asc, eq, gt, inArray, ne, not, or, sql, type SQL } from 'drizzle-orm'
import { ApiError } from '../platform/http/errors.ts'
import { type Database, hasRow, runBatch } from '../platform/db/database.ts'
import { invitations, members, passwordResets, recoveryCodes } from '../platform/db/schema.ts'
import { maxMembers } from './account-errors.ts'
import type { Role } from './permissions.ts'
import { type Authorship, recordEntry } from './audit.ts'

export type Team = Awaited<ReturnType<typeof listMembers>>

/** Lists the members of an account and its open invitations, oldest first. */
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

const emailOf = (db: Database, memberId: string) =>
  db.select({ email: members.email }).from(members).where(eq(members.id, memberId))

/** This condition is part of the changing statement, so that two owners cannot remove each other at the same time. */
const leavesAnOwner = (db: Database, merchantId: string) =>
  or(
    ne(members.role, 'owner'),
    gt(db.$count(members, and(eq(members.merchantId, merchantId), eq(members.role, 'owner'))), 1),
  )

/**
 * Returns the statements that end all open links of an account if an owner leaves, because the owner may have created
 * some. In a batch they come before the change.
 */
function endLinks(db: Database, merchantId: string, leaves: SQL | undefined) {
  const ownerLeaves = hasRow(members, and(leaves, eq(members.role, 'owner')))
  const team = db.select({ id: members.id }).from(members).where(eq(members.merchantId, merchantId))
  return [
    db.delete(invitations).where(and(eq(invitations.merchantId, merchantId), ownerLeaves)),
    db.delete(passwordResets).where(and(inArray(passwordResets.memberId, team), ownerLeaves)),
  ] as const
}

/** Gives a member another role, from the next request on. Throws 404, or 409 for the last owner. */
export async function changeRole(
  db: Database,
  merchantId: string,
  { memberId, role }: { readonly memberId: string; readonly role: Role },
  authorship: Authorship,
): Promise<void> {
  const subject = sql`${emailOf(db, memberId)} || ${`: ${role}`}`
  const mayChange = and(isMember(merchantId, memberId), role === 'owner' ? undefined : leavesAnOwner(db, merchantId))
  const { changed } = await runBatch(db, {
    links: endLinks(db, merchantId, and(mayChange, ne(members.role, role))),
    changed: db.update(members).set({ role }).where(mayChange).returning({ id: members.id }),
    entry: recordEntry(db, { holderId: merchantId, action: 'member.role', subject }, authorship),
  })
  if (changed.length === 0) await throwUnchanged(db, merchantId, memberId)
}

/** Removes a member and so ends their sessions and tokens. Throws 404, or 409 for the last owner. */
export async function removeMember(
  db: Database,
  merchantId: string,
  memberId: string,
  authorship: Authorship,
): Promise<void> {
  const isRemoved = and(isMember(merchantId, memberId), leavesAnOwner(db, merchantId))
  const isGone = not(hasRow(members, eq(members.id, memberId)))
  const entry = { holderId: merchantId, action: 'member.removed', subject: emailOf(db, memberId) } as const
  const { removed } = await runBatch(db, {
    links: endLinks(db, merchantId, isRemoved),
    // The entry reads the email, so it comes before the deletion.
    entry: recordEntry(db, entry, authorship, hasRow(members, isRemoved)),
    removed: db.delete(members).where(isRemoved).returning({ id: members.id }),
    resets: db.delete(passwordResets).where(and(eq(passwordResets.memberId, memberId), isGone)),
    codes: db.delete(recoveryCodes).where(and(eq(recoveryCodes.memberId, memberId), isGone)),
  })
  if (removed.length === 0) await throwUnchanged(db, merchantId, memberId)
}

async function throwUnchanged(db: Database, merchantId: string, memberId: string): Promise<never> {
  const [member] = await db.select({ id: members.id }).from(members).where(isMember(merchantId, memberId))
  throw member === undefined ? new ApiError('member_not_found') : new ApiError('last_owner')
}
