import { issueSession, newSession } from '../../src/accounts/token.ts'
import { settingsOf } from '../../src/settings.ts'
import { bindings } from '../service.ts'

/** Returns the cookie header of a member who signed in at `nowMs`. By default, the member is the merchant's owner. */
export async function sessionOf(merchantId: string, nowMs = Date.now(), memberId = merchantId) {
  const session = newSession({ id: merchantId, memberId, sessionVersion: 0 }, nowMs)
  return { Cookie: `session=${await issueSession(session, settingsOf(bindings), nowMs)}` }
}
