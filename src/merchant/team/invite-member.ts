import { and, eq, lte, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { recordEntry, type Actor, type Made } from '../../audit/record-entry.ts'
import type { Database } from '../../db/client.ts'
import { newId } from '../../db/ids.ts'
import { invitations, members, merchants } from '../../db/schema.ts'
import { selectValues } from '../../db/select-values.ts'
import { dayMs } from '../../time.ts'
import { maxMembers, tooManyMembers } from './errors.ts'
import type { invitationSchema } from './fields.ts'
import { hashLinkToken, newLinkToken } from './link-token.ts'
import type { Role } from './roles.ts'

export const invitationDays = 7
const lifetimeMs = invitationDays * dayMs

/** Stores an invitation. Returns the token of its link, which is not stored and never shown again. */
export async function inviteMember(
  db: Database,
  merchantId: string,
  { role, label }: z.infer<typeof invitationSchema>,
  nowMs: number,
  by: Actor,
): Promise<string> {
  const token = newLinkToken()
  const row = { id: newId(), merchantId, role, label, hash: hashLinkToken(token), expiresAt: nowMs + lifetimeMs }
  const taken = sql`
    (SELECT count(*) FROM ${members} WHERE merchant_id = ${merchantId}) +
    (SELECT count(*) FROM ${invitations} WHERE merchant_id = ${merchantId})`
  const insertable = db
    .select(selectValues(invitations, row))
    .from(merchants)
    .where(and(eq(merchants.id, merchantId), sql`${taken} < ${maxMembers}`))
  const entry = { holderId: merchantId, action: 'member.invited', subject: describe(label, role) } as const
  const [, inserted] = await db.batch([
    db.delete(invitations).where(and(eq(invitations.merchantId, merchantId), lte(invitations.expiresAt, nowMs))),
    // Counting and inserting are one statement, so that concurrent requests cannot exceed the limit together.
    db.insert(invitations).select(insertable).returning({ id: invitations.id }),
    ...recordEntry(db, entry, { by, at: nowMs }),
  ])
  if (inserted.length === 0) throw tooManyMembers()
  return token
}

/** Withdraws an invitation; nothing happens if it was used or withdrawn before. */
export async function withdrawInvitation(db: Database, merchantId: string, id: string, made: Made): Promise<void> {
  const ofInvitation = and(eq(invitations.merchantId, merchantId), eq(invitations.id, id))
  const subject = sql`(SELECT label FROM ${invitations} WHERE ${ofInvitation})`
  const isThere = sql`EXISTS (SELECT 1 FROM ${invitations} WHERE ${ofInvitation})`
  await db.batch([
    // Before it is deleted, while its label is there.
    ...recordEntry(db, { holderId: merchantId, action: 'member.withdrawn', subject }, made, isThere),
    db.delete(invitations).where(ofInvitation),
  ])
}

const describe = (label: string, role: Role) => (label === '' ? role : `${label}: ${role}`)
