import { issueSession, newSession } from '../../src/merchant/token.ts'
import { settingsOf } from '../../src/settings.ts'
import { bindings } from '../service.ts'

/** The cookie header of a merchant who signed in at `nowMs`. */
export async function sessionOf(merchantId: string, nowMs = Date.now()) {
  const session = newSession({ id: merchantId, sessionVersion: 0 }, nowMs)
  return { Cookie: `session=${await issueSession(session, settingsOf(bindings), nowMs)}` }
}
