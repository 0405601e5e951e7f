import { issueToken } from '../../src/merchant/token.ts'
import { settingsOf } from '../../src/settings.ts'
import { bindings } from '../service.ts'

/** The headers of a signed-in browser. */
export const sessionOf = async (merchantId: string, now = Date.now()) => ({
  Cookie: `session=${await issueToken(merchantId, settingsOf(bindings).JWT_SECRET, now)}`,
})
