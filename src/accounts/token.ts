import { sign, verify } from 'hono/jwt'
import type { JWTPayload } from 'hono/utils/jwt/types'
import { z } from 'zod'
import { and, eq, lt, sql } from 'drizzle-orm'
import { endedSessions, members } from '../platform/db/schema.ts'
import type { Settings } from '../settings.ts'
import { type Database, runBatch } from '../platform/db/database.ts'

const tokenLifetimeSeconds = 3600
const issuer = 'garment-tagging'

/** API tokens and dashboard sessions have different audiences, so neither is accepted as the other. */
const tokenAudience = 'merchant'
const sessionAudience = 'dashboard'

/** A session ends an hour after its last renewal, and twelve hours after the sign-in at the latest. */
export const sessionIdleSeconds = 3600
const sessionLifetimeSeconds = 12 * 3600

export type TokenSecrets = Pick<Settings, 'JWT_SECRET' | 'JWT_SECRETS_OLD'>

/** A token is valid while its session version equals that of its member. */
export interface TokenHolder {
  readonly id: string
  readonly memberId: string
  readonly sessionVersion: number
}

const tokenClaims = z.object({ sub: z.string(), member: z.string(), ver: z.int() })
const sessionClaims = tokenClaims.extend({
  jti: z.string(),
  auth_time: z.int(),
  iat: z.int(),
  exp: z.int(),
  /** Database bookmark after the session's last change, so that its later reads see the change. */
  changed: z.object({ tenant: z.string(), bookmark: z.string() }).optional(),
})

export interface Session extends TokenHolder {
  readonly sessionId: string
  readonly signedInAt: number
  readonly issuedAt: number
  readonly expiresAt: number
  readonly changed?: z.infer<typeof sessionClaims>['changed']
}

export const toHolder = (member: Pick<typeof members.$inferSelect, 'id' | 'merchantId' | 'sessionVersion'>) => ({
  id: member.merchantId,
  memberId: member.id,
  sessionVersion: member.sessionVersion,
})

const claimsOf = ({ id, memberId, sessionVersion }: TokenHolder) => ({ sub: id, member: memberId, ver: sessionVersion })

const fromClaims = ({ sub, member, ver }: z.infer<typeof tokenClaims>): TokenHolder => ({
  id: sub,
  memberId: member,
  sessionVersion: ver,
})

const issue = async (claims: JWTPayload, aud: string, { JWT_SECRET }: TokenSecrets) =>
  await sign({ ...claims, iss: issuer, aud }, JWT_SECRET, 'HS256')

export async function issueToken(holder: TokenHolder, secrets: TokenSecrets, nowMs: number): Promise<string> {
  const iat = Math.floor(nowMs / 1000)
  return await issue({ ...claimsOf(holder), iat, exp: iat + tokenLifetimeSeconds }, tokenAudience, secrets)
}

/** Returns null if the token is forged, expired, or has another algorithm or audience. */
export async function readToken(token: string, secrets: TokenSecrets): Promise<TokenHolder | null> {
  const claims = tokenClaims.safeParse(await verifyToken(token, secrets, tokenAudience))
  return claims.success ? fromClaims(claims.data) : null
}

export const newSession = (holder: TokenHolder, nowMs: number) => ({
  ...holder,
  sessionId: crypto.randomUUID(),
  signedInAt: Math.floor(nowMs / 1000),
})

/** Starts or renews a session. A renewal keeps the time of the sign-in. */
export async function issueSession(
  session: Omit<Session, 'issuedAt' | 'expiresAt'>,
  secrets: TokenSecrets,
  nowMs: number,
): Promise<string> {
  const iat = Math.floor(nowMs / 1000)
  const exp = Math.min(iat + sessionIdleSeconds, session.signedInAt + sessionLifetimeSeconds)
  const { sessionId: jti, signedInAt: auth_time, changed } = session
  return await issue(
    { ...claimsOf(session), jti, auth_time, iat, exp, ...(changed && { changed }) },
    sessionAudience,
    secrets,
  )
}

export async function readSessionToken(token: string, secrets: TokenSecrets): Promise<Session | null> {
  const claims = sessionClaims.safeParse(await verifyToken(token, secrets, sessionAudience))
  if (!claims.success) return null
  const { jti, auth_time, iat, exp, changed } = claims.data
  return { ...fromClaims(claims.data), sessionId: jti, signedInAt: auth_time, issuedAt: iat, expiresAt: exp, changed }
}

/** Returns the claims of a token, or null if no secret verifies it. */
async function verifyToken(
  token: string,
  { JWT_SECRET, JWT_SECRETS_OLD }: TokenSecrets,
  aud: string,
): Promise<unknown> {
  for (const secret of [JWT_SECRET, ...JWT_SECRETS_OLD]) {
    try {
      return await verify(token, secret, { alg: 'HS256', iss: issuer, aud })
    } catch {
      // The next secret may verify the token.
    }
  }
  return null
}

/** Ends one dashboard session, so that a copy of its cookie is refused. */
export async function endSession(db: Database, { memberId, sessionId, signedInAt }: Session, nowMs: number) {
  // Stored until no renewal of the session can be valid, because a copied cookie may have been renewed.
  const ended = { id: sessionId, memberId, expiresAt: (signedInAt + sessionLifetimeSeconds) * 1000 }
  await runBatch(db, {
    ended: db.insert(endedSessions).values(ended).onConflictDoNothing(),
    expired: db
      .delete(endedSessions)
      .where(and(eq(endedSessions.memberId, memberId), lt(endedSessions.expiresAt, nowMs))),
  })
}

/** Tokens and sessions have the version under which they were issued, so raising a member's version ends them. */
export const nextSessionVersion = sql`${members.sessionVersion} + 1`

export async function endAllSessions(db: Database, memberId: string): Promise<void> {
  await runBatch(db, {
    member: db.update(members).set({ sessionVersion: nextSessionVersion }).where(eq(members.id, memberId)),
    sessions: db.delete(endedSessions).where(eq(endedSessions.memberId, memberId)),
  })
}
