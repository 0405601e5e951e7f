import { and, eq, exists, gt, sql } from 'drizzle-orm'
import { recordEntry } from '../../audit/record-entry.ts'
import type { Database } from '../../db/client.ts'
import { accountDatabase } from '../../db/databases/find-database.ts'
import { newId } from '../../db/ids.ts'
import { invitations, members, merchants, tenants } from '../../db/schema.ts'
import { selectValues } from '../../db/select-values.ts'
import { throttle } from '../../rate-limit/throttle.ts'
import { emailTaken } from '../errors.ts'
import { hashPassword } from '../password/password.ts'
import { toActor } from '../to-actor.ts'
import { linkNotValid } from './errors.ts'
import type { NewMember } from './fields.ts'
import { hashLinkToken } from './link-token.ts'

const attemptsPerMinute = 60

const byToken = (token: string, nowMs: number) =>
  and(eq(invitations.hash, hashLinkToken(token)), gt(invitations.expiresAt, nowMs))

/** The account and role of an invitation. Throws 404 for an invalid link. */
export async function getInvitation(db: Database, token: string, nowMs: number) {
  const [found] = await db
    .select({ role: invitations.role, company: merchants.company, shop: tenants.name })
    .from(invitations)
    .innerJoin(merchants, eq(merchants.id, invitations.merchantId))
    .leftJoin(tenants, eq(tenants.merchantId, invitations.merchantId))
    .where(byToken(token, nowMs))
  if (found === undefined) throw linkNotValid()
  return { role: found.role, account: found.shop ?? found.company }
}

/** Makes a person a member of the account that invited them. Of two concurrent uses of a link, one is refused. */
export async function acceptInvitation(
  env: Pick<Env, 'DB' | 'THROTTLE'>,
  token: string,
  { password, address, ...person }: NewMember & { readonly address: string },
  nowMs: number,
) {
  const db = accountDatabase(env)
  await throttle(env, `invitations:${address}`, attemptsPerMinute)
  // Before the password is hashed, which is slow.
  await getInvitation(db, token, nowMs)
  const passwordHash = await hashPassword({ password, caller: `sign-up:${address}` })
  const row = {
    id: newId(),
    merchantId: sql`${invitations.merchantId}`,
    role: sql`${invitations.role}`,
    ...person,
    passwordHash,
    sessionVersion: 0,
    createdAt: nowMs,
  }
  const joined = db.select(selectValues(members, row)).from(invitations).where(byToken(token, nowMs))
  const isMember = db.select({ id: members.id }).from(members).where(eq(members.id, row.id))
  const merchantId = sql`(SELECT merchant_id FROM ${members} WHERE id = ${row.id})`
  const entry = { holderId: merchantId, action: 'member.joined', subject: person.email } as const
  const [[member], , , [used]] = await db.batch([
    db.insert(members).select(joined).onConflictDoNothing().returning(),
    ...recordEntry(db, entry, { by: toActor(row), at: nowMs }),
    db
      .delete(invitations)
      .where(and(byToken(token, nowMs), exists(isMember)))
      .returning({ id: invitations.id }),
  ])
  if (member !== undefined && used !== undefined) return member
  await getInvitation(db, token, nowMs)
  throw emailTaken()
}
