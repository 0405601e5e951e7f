import { and, eq } from 'drizzle-orm'
import { deliveries, webhookEndpoints } from '../../../src/platform/db/schema.ts'
import { createEndpoint } from '../../../src/webhooks/endpoints/change-endpoint.ts'
import { endpointRequest } from '../../../src/webhooks/webhook-fields.ts'
import type { DeliveryMessage } from '../../../src/events/delivery.ts'
import { startDeliveries } from '../../../src/events/delivery-transitions.ts'
import { runBatch } from '../../../src/platform/db/database.ts'
import { attemptDelivery } from '../../../src/webhooks/deliveries/attempt-delivery.ts'
import { db, keys, localPolicy, newScene, receiver, type SceneOptions, startedOf, startMs } from '../webhook-scene.ts'
import { someone } from '../../service.ts'

export const deps = { db, keys, policy: localPolicy }

/** A scene whose delivery was started over for all endpoints. */
export async function newEndpointScene(options: SceneOptions = {}) {
  const scene = await newScene(options)
  const { tenantId } = scene
  const messages: DeliveryMessage[] = []
  return {
    ...scene,
    messages,
    /** Adds an endpoint whose receiver behaves as `query` says. */
    async add(name: string, query = '', changes: object = {}) {
      const url = receiver.url(`${name}-${tenantId}`, query)
      return await createEndpoint(deps, tenantId, endpointRequest.parse({ url, ...changes }), startMs, someone)
    },
    async start(event: Parameters<typeof startDeliveries>[1]['event'] = 'tagging.completed') {
      const { statements, messagesOf } = startDeliveries(db, { ...startedOf(scene), event }, startMs)
      const { started } = await runBatch(db, { started: statements })
      messages.splice(0, messages.length, ...messagesOf(started))
      return started
    },
    async attemptAll() {
      for (const message of messages) await attemptDelivery(message, scene.deps)
    },
    receivedBy: async (name: string) => await receiver.received(`${name}-${tenantId}`),
    async delivery(endpoint: string) {
      const [row] = await db
        .select()
        .from(deliveries)
        .where(and(eq(deliveries.tenantId, tenantId), eq(deliveries.endpointId, endpoint)))
      return row
    },
    async endpoint(id: string) {
      const [row] = await db
        .select()
        .from(webhookEndpoints)
        .where(and(eq(webhookEndpoints.tenantId, tenantId), eq(webhookEndpoints.id, id)))
      return row
    },
  }
}
