import { ApiError } from '../../platform/http/errors.ts'
import { type Database, newId } from '../../platform/db/database.ts'
import { configEndpointId } from '../../platform/db/schema.ts'
import { findEndpointRow } from '../endpoints/endpoint.ts'
import type { EncryptionKeys } from '../endpoints/encrypt.ts'
import { buildCall, type Payload } from './build-call.ts'
import { callReceiver, type CallDeps } from './call-receiver.ts'
import type { Answer } from '../../events/delivery-transitions.ts'

export interface TestEventDeps extends CallDeps {
  readonly db: Database
  readonly keys: EncryptionKeys
}

interface TestEvent {
  /** The endpoint of `/webhook/config` if absent. */
  readonly endpointId?: string | undefined
  readonly payload: Payload
}

/** Sends an event once, also to a disabled endpoint. Throws 404 for an unknown endpoint, and 409 without a URL. */
export async function sendTestEvent(
  deps: TestEventDeps,
  tenantId: string,
  { endpointId = configEndpointId, payload }: TestEvent,
): Promise<Answer> {
  const { db, keys } = deps
  const config = await findEndpointRow(db, tenantId, endpointId)
  if (config === undefined || config.url === null)
    throw endpointId === configEndpointId ? new ApiError('webhook_not_configured') : new ApiError('endpoint_not_found')
  const nowMs = deps.now()
  const call = await buildCall(keys, config, newId(), payload, nowMs)
  return await callReceiver(call, deps)
}
