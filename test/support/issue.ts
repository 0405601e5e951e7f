import { readFileSync } from 'node:fs'
import * as merchant from '../../src/accounts/token.ts'

/** Secrets of the local service, from `.dev.vars`. */
const readSecrets = () => ({
  JWT_SECRET: /^JWT_SECRET="(.+)"$/m.exec(readFileSync('.dev.vars', 'utf8'))?.[1] ?? '',
  JWT_SECRETS_OLD: [],
})

/** Finds the member who signed up for the account. */
const ownerOf = (merchantId: string) => ({ id: merchantId, memberId: merchantId, sessionVersion: 0 })

/** Issues an access token without a sign-in, because hashing a password is slow. */
export const issueToken = async (merchantId: string) =>
  await merchant.issueToken(ownerOf(merchantId), readSecrets(), Date.now())

/** Issues a dashboard session cookie without a sign-in. */
export const issueSession = async (merchantId: string) =>
  await merchant.issueSession(merchant.newSession(ownerOf(merchantId), Date.now()), readSecrets(), Date.now())
