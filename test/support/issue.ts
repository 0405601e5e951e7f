import { readFileSync } from 'node:fs'
import * as merchant from '../../src/accounts/token.ts'

/** Those of a service that `wrangler dev` runs here. */
const readSecrets = () => ({
  JWT_SECRET: /^JWT_SECRET="(.+)"$/m.exec(readFileSync('.dev.vars', 'utf8'))?.[1] ?? '',
  JWT_SECRETS_OLD: [],
})

/** The member who signed up for the account. */
const ownerOf = (merchantId: string) => ({ id: merchantId, memberId: merchantId, sessionVersion: 0 })

/** An access token, without the hashing of a password that makes a sign-in slow. */
export const issueToken = async (merchantId: string) =>
  await merchant.issueToken(ownerOf(merchantId), readSecrets(), Date.now())

/** The cookie of a session of the dashboard, likewise. */
export const issueSession = async (merchantId: string) =>
  await merchant.issueSession(merchant.newSession(ownerOf(merchantId), Date.now()), readSecrets(), Date.now())
