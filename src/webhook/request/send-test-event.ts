import type { Database } from '../../db/client.ts'
import { newId } from '../../db/ids.ts'
import { ApiError } from '../../http/errors.ts'
import { findConfigRow } from '../config/config-row.ts'
import type { EncryptionKeys } from '../config/encrypt.ts'
import { buildCall } from './build-call.ts'
import { callReceiver, type Answer, type CallDependencies } from './call-receiver.ts'
import { testPayload } from './payload.ts'

export interface TestEventDependencies extends CallDependencies {
  readonly db: Database
  readonly keys: EncryptionKeys
}

/**
 * Sends `webhook.test` once, in the way a delivery is sent, and returns the answer. Works while the webhook is off, so
 * that a receiver can be tried first. Throws 409 if no URL is configured.
 */
export async function sendTestEvent(dependencies: TestEventDependencies, tenantId: string): Promise<Answer> {
  const { db, keys } = dependencies
  const config = await findConfigRow(db, tenantId)
  if (config === undefined || config.url === '')
    throw new ApiError(409, 'Webhook not configured', ['Configure a webhook URL before testing it.'])
  const nowMs = dependencies.now()
  const call = await buildCall(keys, config, newId(), testPayload(nowMs), nowMs)
  return await callReceiver(call, dependencies)
}
