import { createHash, randomBytes } from 'node:crypto'

/** The secret part of a link, of 256 random bits. Only its hash is stored. */
export const newLinkToken = () => randomBytes(32).toString('base64url')

/** Rows are looked up by it, so no comparison of tokens can be timed. */
export const hashLinkToken = (token: string) => createHash('sha256').update(token).digest('hex')

/** The page of an invitation, or for a new password. */
export const linkTo = (page: 'join' | 'reset', token: string, baseUrl: string) =>
  `${baseUrl}/dashboard/${page}?token=${encodeURIComponent(token)}`
