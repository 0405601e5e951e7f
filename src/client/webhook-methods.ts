import type { CallOptions, ClientOptions } from './connection.ts'
import { requestsOf } from './send.ts'
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
  const { get, post, put, patch, remove } = requestsOf(options, 'tenant')
  return {
    /** Replaces the whole configuration. */
    putWebhookConfig: async (config: T.NewWebhookConfig, call?: CallOptions): Promise<T.WebhookConfig> =>
      await put(`${base}/config`, { ...call, body: config }),

    /** The configuration: not enabled and empty, if there is none. */
    getWebhookConfig: async (call?: CallOptions): Promise<T.WebhookConfig> => await get(`${base}/config`, call),

    /** Asks for `tagging.corrected` events, which are off by default. */
    putEventSettings: async (settings: T.EventSettings, call?: CallOptions): Promise<T.EventSettings> =>
      await put(`${base}/events`, { ...call, body: settings }),

    /** Whether they are asked for. */
    getEventSettings: async (call?: CallOptions): Promise<T.EventSettings> => await get(`${base}/events`, call),

    /** The endpoints, at most five. */
    listEndpoints: async (call?: CallOptions): Promise<T.EndpointList> => await get(endpoints, call),

    /** One of them. 404 if there is none. */
    getEndpoint: async (id: string, call?: CallOptions): Promise<T.Endpoint> => await get(endpointPath(id), call),

    /** Adds an endpoint with its own deliveries, secret and speed. */
    createEndpoint: async (endpoint: T.NewEndpoint, call?: CallOptions): Promise<T.Endpoint> =>
      await post(endpoints, { ...call, body: endpoint }),

    /** Changes what is given, and leaves the rest. */
    changeEndpoint: async (id: string, changes: T.EndpointChanges, call?: CallOptions): Promise<T.Endpoint> =>
      await patch(endpointPath(id), { ...call, body: changes }),

    /** Deletes one, and ends what is pending for it. */
    deleteEndpoint: async (id: string, call?: CallOptions): Promise<void> => await remove(endpointPath(id), call),

    /** The delivery of a garment to an endpoint, the first one if absent. 404 if there is none. */
    getDelivery: async (uuid: string, { endpoint, ...call }: OfEndpoint = {}): Promise<T.DeliveryStatus> =>
      await get(`${base}/delivery-status`, { ...call, query: { uuid, endpoint } }),

    /** The attempts of a delivery, oldest first, at most 100 a page. */
    listAttempts: async (
      uuid: string,
      page: { limit?: number; cursor?: string | null; endpoint?: string } = {},
      call?: CallOptions,
    ): Promise<T.AttemptPage> => await get(`${base}/attempts`, { ...call, query: { uuid, ...page } }),

    /** Makes one more attempt now. */
    redeliver: async (uuid: string, { endpoint, ...call }: OfEndpoint = {}): Promise<T.Delivery> =>
      await post(`${base}/redeliver`, { ...call, body: { uuid, endpoint } }),

    /** Sends ended deliveries that were created in this time (ISO 8601) once more, in the background; all, or some. */
    redeliverRange: async (
      range: { from: string; to: string; endpoint?: string; status?: 'delivered' | 'permanently_failed' },
      call?: CallOptions,
    ): Promise<T.RangeRedelivery> => await post(`${base}/redeliver`, { ...call, body: range }),

    /** Sends a `webhook.test` event, or another one with a sample garment, now and returns the receiver's answer. */
    sendTestEvent: async ({ signal, ...event }: TestEvent = {}): Promise<T.TestResult> =>
      await post(`${base}/test`, { signal, body: event }),
  }
}
