import { accountDatabase } from '../platform/db/databases.ts'
import { accountEndpoint } from '../platform/db/schema.ts'
import { throttle } from '../platform/limits/throttle.ts'
import { settingsOf } from '../settings.ts'
import { encryptionKeysOf } from './endpoints/encrypt.ts'
import { samplePayload } from './describe-events.ts'
import type { EndpointDeps } from './endpoints/change-endpoint.ts'
import { webhookNotConfigured } from './errors.ts'
import { callDeps, targetPolicy } from './deliveries/call-receiver.ts'
import type { Answer } from '../events/transitions.ts'
import { sendTestEvent } from './deliveries/send-test-event.ts'
import { findAccountWebhook } from './account-webhook.ts'

/** `url` is the URL at which the service was called. */
export function accountWebhookDeps(env: Pick<Env, 'DB'>, url: string): EndpointDeps {
  const settings = settingsOf(env)
  const policy = targetPolicy(settings, new URL(url).origin)
  return { db: accountDatabase(env), keys: encryptionKeysOf(settings), policy }
}

const testsPerMinute = 20

/** Sends `webhook.test` to the webhook of an account. Throws 409 if none is configured, and 429 above 20 a minute. */
export async function testAccountWebhook(env: Env, merchantId: string, url: string): Promise<Answer> {
  const deps = accountWebhookDeps(env, url)
  await throttle(env, `account-webhook-tests:${merchantId}`, testsPerMinute)
  if ((await findAccountWebhook(deps.db, merchantId)) === null) throw webhookNotConfigured()
  const call = callDeps(settingsOf(env), new URL(url).origin)
  return await sendTestEvent({ ...call, ...deps }, merchantId, {
    endpoint: accountEndpoint,
    payload: samplePayload('webhook.test', Date.now()),
  })
}
