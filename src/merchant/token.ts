import { sign, verify } from 'hono/jwt'

export const tokenLifetimeSeconds = 3600
const issuer = 'garment-tagging'
const audience = 'merchant'

export async function issueToken(merchantId: string, secret: string, nowMs: number): Promise<string> {
  const iat = Math.floor(nowMs / 1000)
  const claims = { sub: merchantId, iat, exp: iat + tokenLifetimeSeconds, iss: issuer, aud: audience }
  return await sign(claims, secret, 'HS256')
}

/** The merchant's id, or null for a token that is forged, expired, of another algorithm or not for us. */
export async function readToken(token: string, secret: string): Promise<string | null> {
  try {
    const { sub } = await verify(token, secret, { alg: 'HS256', iss: issuer, aud: audience })
    return typeof sub === 'string' ? sub : null
  } catch {
    return null
  }
}
