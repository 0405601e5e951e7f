import { and, asc, eq, gt } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import { invitations, members } from '../../db/schema.ts'
import { maxMembers } from './errors.ts'
import type { Role } from './roles.ts'

export interface Member {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly role: Role
  readonly createdAt: number
}

export interface Invitation {
  readonly id: string
  readonly label: string
  readonly role: Role
  readonly expiresAt: number
}

/** The members of an account and its invitations that can still be used, the oldest first. */
export async function listMembers(
  db: Database,
  merchantId: string,
  nowMs: number,
): Promise<{ members: Member[]; invitations: Invitation[] }> {
  const { id, name, email, role, createdAt } = members
  const [team, open] = await db.batch([
    db
      .select({ id, name, email, role, createdAt })
      .from(members)
      .where(eq(members.merchantId, merchantId))
      .orderBy(asc(createdAt), asc(id))
      .limit(maxMembers),
    db
      .select({
        id: invitations.id,
        label: invitations.label,
        role: invitations.role,
        expiresAt: invitations.expiresAt,
      })
      .from(invitations)
      .where(and(eq(invitations.merchantId, merchantId), gt(invitations.expiresAt, nowMs)))
      .orderBy(asc(invitations.expiresAt))
      .limit(maxMembers),
  ])
  return { members: team, invitations: open }
}
