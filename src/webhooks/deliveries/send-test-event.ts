import { ApiError } from '../../platform/http/errors.ts'
import { type Database, newId } from '../../platform/db/database.ts'
import { firstEndpoint } from '../../platform/db/schema.ts'
import { findConfigRow } from '../endpoints/endpoint.ts'
import type { EncryptionKeys } from '../endpoints/encrypt.ts'
import { buildCall, type Payload } from './build-call.ts'
import { callReceiver, type CallDeps } from './call-receiver.ts'
import type { Answer } from '../../events/transitions.ts'

export interface TestEventDeps extends CallDeps {
  readonly db: Database
  readonly keys: EncryptionKeys
}

interface TestEvent {
  /** The first one if absent. */
  readonly endpoint?: string | undefined
  readonly payload: Payload
}

/**
 * Sends an event once, in the way a delivery is sent, and returns the answer. Works while the
 * webhook is disabled, so that a receiver can be tried first. Throws 409 if no URL is configured, and 404 for an
 * endpoint that does not exist.
 */
export async function sendTestEvent(
  deps: TestEventDeps,
  tenantId: string,
  { endpoint, payload }: TestEvent,
): Promise<Answer> {
  const { db, keys } = deps
  const config = await findConfigRow(db, tenantId, endpoint)
  if (config === undefined || config.url === '')
    throw endpoint === undefined || endpoint === firstEndpoint
      ? new ApiError('webhook_not_configured')
      : new ApiError('endpoint_not_found')
  const nowMs = deps.now()
  const call = await buildCall(keys, config, newId(), payload, nowMs)
  return await callReceiver(call, deps)
}
