import type { CallOptions, ClientOptions } from './connection.ts'
import { createRequests } from './send.ts'
import type * as T from './types.ts'

const base = '/garment-tagging/webhook'

const endpoints = `${base}/endpoints`
const endpointPath = (id: string) => `${endpoints}/${encodeURIComponent(id)}`

interface EndpointOptions extends CallOptions {
  /** The endpoint's ID. */
  readonly endpoint?: string
}

type TestEvent = EndpointOptions & T.TestEvent

/** Methods that need `apiKey` and `domain`. Each call counts once against the tenant's rate limit. */
export function webhookMethods(options: ClientOptions) {
  const { get, post, put, patch, remove } = createRequests(options, 'tenant')
  return {
    /** Replaces the whole webhook configuration. */
    putWebhookConfig: async (config: T.NewWebhookConfig, call?: CallOptions): Promise<T.WebhookConfig> =>
      await put(`${base}/config`, { ...call, body: config }),

    /** Returns the webhook configuration. If there is none, it is disabled and empty. */
    getWebhookConfig: async (call?: CallOptions): Promise<T.WebhookConfig> => await get(`${base}/config`, call),

    /** Lists the endpoints. A tenant has at most five. */
    listEndpoints: async (call?: CallOptions): Promise<T.EndpointList> => await get(endpoints, call),

    /** Returns an endpoint. 404 if it does not exist. */
    getEndpoint: async (id: string, call?: CallOptions): Promise<T.Endpoint> => await get(endpointPath(id), call),

    /** Adds an endpoint with its own deliveries, secret and maximum speed. */
    createEndpoint: async (endpoint: T.NewEndpoint, call?: CallOptions): Promise<T.Endpoint> =>
      await post(endpoints, { ...call, body: endpoint }),

    /** Changes the given fields of an endpoint. */
    changeEndpoint: async (id: string, changes: T.EndpointChanges, call?: CallOptions): Promise<T.Endpoint> =>
      await patch(endpointPath(id), { ...call, body: changes }),

    /** Deletes an endpoint and ends its pending deliveries. */
    deleteEndpoint: async (id: string, call?: CallOptions): Promise<void> => await remove(endpointPath(id), call),

    /** Returns a garment's delivery to an endpoint, by default the first one. 404 if there is none. */
    getDelivery: async (uuid: string, { endpoint, ...call }: EndpointOptions = {}): Promise<T.DeliveryStatus> =>
      await get(`${base}/delivery-status`, { ...call, query: { uuid, endpoint } }),

    /** Lists the attempts of a delivery, oldest first, at most 100 per page. */
    listAttempts: async (
      uuid: string,
      page: { limit?: number; cursor?: string | null; endpoint?: string } = {},
      call?: CallOptions,
    ): Promise<T.AttemptPage> => await get(`${base}/attempts`, { ...call, query: { uuid, ...page } }),

    /** Makes one more delivery attempt now. */
    redeliver: async (uuid: string, { endpoint, ...call }: EndpointOptions = {}): Promise<T.Delivery> =>
      await post(`${base}/redeliver`, { ...call, body: { uuid, endpoint } }),

    /** Sends ended deliveries created between `from` and `to` (ISO 8601) once more, in the background. */
    redeliverRange: async (
      range: { from: string; to: string; endpoint?: string; status?: 'delivered' | 'permanently_failed' },
      call?: CallOptions,
    ): Promise<T.RangeRedelivery> => await post(`${base}/redeliver`, { ...call, body: range }),

    /** Returns the progress of the last redelivery of a time range. 404 if there was none. */
    getRedelivery: async (call?: CallOptions): Promise<T.RangeRedelivery> => await get(`${base}/redeliver`, call),

    /** Sends a test event of any type now, and returns the receiver's response. */
    sendTestEvent: async ({ signal, ...event }: TestEvent = {}): Promise<T.TestResult> =>
      await post(`${base}/test`, { signal, body: event }),
  }
}
