import type { CallOptions, ClientOptions } from './connection.ts'
import { sendForData } from './send.ts'
import type * as T from './types.ts'

const base = '/garment-tagging/webhook'

/** All need `apiKey` and `domain`, and count against the tenant's rate limit. */
export function webhookMethods(options: ClientOptions) {
  const read = { scope: 'tenant', method: 'GET', repeatable: true } as const
  const replace = { scope: 'tenant', method: 'PUT', repeatable: true } as const
  const act = { scope: 'tenant', method: 'POST' } as const
  return {
    /** Replaces the whole configuration. */
    async putWebhookConfig(config: T.NewWebhookConfig, { signal }: CallOptions = {}): Promise<T.WebhookConfig> {
      return await sendForData(options, { ...replace, path: `${base}/config`, body: config, signal })
    },

    async getWebhookConfig({ signal }: CallOptions = {}): Promise<T.WebhookConfig> {
      return await sendForData(options, { ...read, path: `${base}/config`, signal })
    },

    /** Asks for `tagging.corrected` events, which are off by default. */
    async putEventSettings(settings: T.EventSettings, { signal }: CallOptions = {}): Promise<T.EventSettings> {
      return await sendForData(options, { ...replace, path: `${base}/events`, body: settings, signal })
    },

    async getEventSettings({ signal }: CallOptions = {}): Promise<T.EventSettings> {
      return await sendForData(options, { ...read, path: `${base}/events`, signal })
    },

    /** The delivery of a garment's webhook. 404 if there is none. */
    async getDelivery(uuid: string, { signal }: CallOptions = {}): Promise<T.Delivery> {
      return await sendForData(options, { ...read, path: `${base}/delivery-status`, query: { uuid }, signal })
    },

    /** The attempts of a delivery, oldest first, at most 100 a page. */
    async listAttempts(
      uuid: string,
      page: { limit?: number; cursor?: string | null } = {},
      { signal }: CallOptions = {},
    ): Promise<T.AttemptPage> {
      return await sendForData(options, { ...read, path: `${base}/attempts`, query: { uuid, ...page }, signal })
    },

    /** Makes one more attempt now. */
    async redeliver(uuid: string, { signal }: CallOptions = {}): Promise<T.Delivery> {
      return await sendForData(options, { ...act, path: `${base}/redeliver`, body: { uuid }, signal })
    },

    /** Sends every ended delivery that was created in this time (ISO 8601) once more, in the background. */
    async redeliverRange(
      range: { from: string; to: string },
      { signal }: CallOptions = {},
    ): Promise<T.RangeRedelivery> {
      return await sendForData(options, { ...act, path: `${base}/redeliver`, body: range, signal })
    },

    /** Sends a `webhook.test` event now, or a sample of another type, and returns the receiver's answer. */
    async sendTestEvent({ type, signal }: CallOptions & T.TestEvent = {}): Promise<T.TestResult> {
      return await sendForData(options, { ...act, path: `${base}/test`, body: type && { type }, signal })
    },
  }
}

export type WebhookMethods = ReturnType<typeof webhookMethods>
