import type { Database } from '../../db/client.ts'
import { newId } from '../../db/ids.ts'
import { findConfigRow } from '../config/config-row.ts'
import type { EncryptionKeys } from '../config/encrypt.ts'
import { webhookNotConfigured } from '../errors.ts'
import { buildCall } from './build-call.ts'
import { callReceiver, type Answer, type CallDeps } from './call-receiver.ts'
import { testPayload, type Payload } from './payload.ts'

export interface TestEventDeps extends CallDeps {
  readonly db: Database
  readonly keys: EncryptionKeys
}

/**
 * Sends a test event once, in the way a delivery is sent, and returns the answer. Works while the webhook is
 * disabled, so that a receiver can be tried first. Throws 409 if no URL is configured.
 */
export async function sendTestEvent(
  deps: TestEventDeps,
  tenantId: string,
  payload: (nowMs: number) => Payload = testPayload,
): Promise<Answer> {
  const { db, keys } = deps
  const config = await findConfigRow(db, tenantId)
  if (config === undefined || config.url === '') throw webhookNotConfigured()
  const nowMs = deps.now()
  const call = await buildCall(keys, config, newId(), payload(nowMs), nowMs)
  return await callReceiver(call, deps)
}
