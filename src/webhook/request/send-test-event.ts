import type { Database } from '../../db/client.ts'
import { newId } from '../../db/ids.ts'
import { ApiError } from '../../http/errors.ts'
import { buildCall } from './build-call.ts'
import { callReceiver, type Outside } from './call-receiver.ts'
import { findConfigRow } from '../config/config.ts'
import { testPayload } from './payload.ts'

/**
 * Sends `webhook.test` once, just as a delivery is sent, and tells how it went. Works while the webhook is off, so that
 * a receiver can be tried before. Throws 409 if no URL is configured.
 */
export async function sendTestEvent(db: Database, tenantId: string, encryptionKey: string, outside: Outside) {
  const config = await findConfigRow(db, tenantId)
  if (config === undefined || config.url === '')
    throw new ApiError(409, 'Webhook not configured', ['Configure a webhook URL before testing it.'])
  const nowMs = outside.now()
  const call = await buildCall(config, newId(), testPayload(nowMs), { encryptionKey, nowMs })
  const { ok, status, error, body, durationMs } = await callReceiver(call, outside)
  return {
    status: ok ? ('delivered' as const) : ('failed' as const),
    response_status: status,
    duration_ms: durationMs,
    error,
    response_body: body,
  }
}
