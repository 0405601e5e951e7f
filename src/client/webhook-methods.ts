import type { CallOptions, ClientOptions } from './connection.ts'
import { sendForData } from './send.ts'
import type * as T from './types.ts'

const base = '/garment-tagging/webhook'

const endpoints = `${base}/endpoints`
const endpointPath = (id: string) => `${endpoints}/${encodeURIComponent(id)}`

interface OfEndpoint extends CallOptions {
  /** Its id. */
  readonly endpoint?: string
}

type TestEvent = OfEndpoint & T.TestEvent

/** All need `apiKey` and `domain`, and count against the tenant's rate limit. */
export function webhookMethods(options: ClientOptions) {
  const read = { scope: 'tenant', method: 'GET', repeatable: true } as const
  const replace = { scope: 'tenant', method: 'PUT', repeatable: true } as const
  const act = { scope: 'tenant', method: 'POST' } as const
  const change = { scope: 'tenant', method: 'PATCH', repeatable: true } as const
  const remove = { scope: 'tenant', method: 'DELETE', repeatable: true } as const
  return {
    /** Replaces the whole configuration. */
    async putWebhookConfig(config: T.NewWebhookConfig, { signal }: CallOptions = {}): Promise<T.WebhookConfig> {
      return await sendForData(options, { ...replace, path: `${base}/config`, body: config, signal })
    },

    /** The configuration: not enabled and empty, if there is none. */
    async getWebhookConfig({ signal }: CallOptions = {}): Promise<T.WebhookConfig> {
      return await sendForData(options, { ...read, path: `${base}/config`, signal })
    },

    /** Asks for `tagging.corrected` events, which are off by default. */
    async putEventSettings(settings: T.EventSettings, { signal }: CallOptions = {}): Promise<T.EventSettings> {
      return await sendForData(options, { ...replace, path: `${base}/events`, body: settings, signal })
    },

    /** Whether they are asked for. */
    async getEventSettings({ signal }: CallOptions = {}): Promise<T.EventSettings> {
      return await sendForData(options, { ...read, path: `${base}/events`, signal })
    },

    /** The endpoints, at most five. */
    async listEndpoints({ signal }: CallOptions = {}): Promise<T.EndpointList> {
      return await sendForData(options, { ...read, path: endpoints, signal })
    },

    /** One of them. 404 if there is none. */
    async getEndpoint(id: string, { signal }: CallOptions = {}): Promise<T.Endpoint> {
      return await sendForData(options, { ...read, path: endpointPath(id), signal })
    },

    /** Adds an endpoint with its own deliveries, secret and speed. */
    async createEndpoint(endpoint: T.NewEndpoint, { signal }: CallOptions = {}): Promise<T.Endpoint> {
      return await sendForData(options, { ...act, path: endpoints, body: endpoint, signal })
    },

    /** Changes what is given, and leaves the rest. */
    async changeEndpoint(id: string, changes: T.EndpointChanges, { signal }: CallOptions = {}): Promise<T.Endpoint> {
      return await sendForData(options, { ...change, path: endpointPath(id), body: changes, signal })
    },

    /** Deletes one, and ends what is pending for it. */
    async deleteEndpoint(id: string, { signal }: CallOptions = {}): Promise<void> {
      await sendForData(options, { ...remove, path: endpointPath(id), signal })
    },

    /** The delivery of a garment to an endpoint, the first one if absent. 404 if there is none. */
    async getDelivery(uuid: string, { signal, endpoint }: OfEndpoint = {}): Promise<T.DeliveryStatus> {
      const query = { uuid, endpoint }
      return await sendForData(options, { ...read, path: `${base}/delivery-status`, query, signal })
    },

    /** The attempts of a delivery, oldest first, at most 100 a page. */
    async listAttempts(
      uuid: string,
      page: { limit?: number; cursor?: string | null; endpoint?: string } = {},
      { signal }: CallOptions = {},
    ): Promise<T.AttemptPage> {
      return await sendForData(options, { ...read, path: `${base}/attempts`, query: { uuid, ...page }, signal })
    },

    /** Makes one more attempt now. */
    async redeliver(uuid: string, { signal, endpoint }: OfEndpoint = {}): Promise<T.Delivery> {
      return await sendForData(options, { ...act, path: `${base}/redeliver`, body: { uuid, endpoint }, signal })
    },

    /** Sends ended deliveries that were created in this time (ISO 8601) once more, in the background; all, or some. */
    async redeliverRange(
      range: { from: string; to: string; endpoint?: string; status?: 'delivered' | 'permanently_failed' },
      { signal }: CallOptions = {},
    ): Promise<T.RangeRedelivery> {
      return await sendForData(options, { ...act, path: `${base}/redeliver`, body: range, signal })
    },

    /** Sends a `webhook.test` event, or another one with a sample garment, now and returns the receiver's answer. */
    async sendTestEvent({ signal, ...event }: TestEvent = {}): Promise<T.TestResult> {
      return await sendForData(options, { ...act, path: `${base}/test`, body: event, signal })
    },
  }
}

export type WebhookMethods = ReturnType<typeof webhookMethods>
