import { and, eq, sql } from 'drizzle-orm'
import { expect, vi } from 'vitest'
import { addStored } from '../../src/accounts/quotas.ts'
import { areOfAccount, eventNames } from '../../src/events/catalogue.ts'
import { nextMessage, isEndpoint } from '../../src/events/delivery.ts'
import { accountDatabase } from '../../src/platform/db/databases.ts'
import { configEndpointId, deliveries, webhookEndpoints } from '../../src/platform/db/schema.ts'
import { attemptDelivery, attemptDeps, type AttemptDeps } from '../../src/webhooks/deliveries/attempt-delivery.ts'
import { createEndpoint } from '../../src/webhooks/endpoints/change-endpoint.ts'
import { endpointRequest } from '../../src/webhooks/webhook-fields.ts'
import { deliverWaitingEvents, reportQuotas } from '../../src/webhooks/report-account-events.ts'
import { bindings, call, databaseOf, newTenant, someone, uploadLimits } from '../service.ts'
import { insertGarment } from '../garments/review/complete-garment.ts'
import { taggingDelivery } from '../support/tagging-delivery.ts'
import { dayMs } from '../../src/time.ts'
import { keys, localPolicy, receiver, secret, settings } from './webhook-scene.ts'

export const accounts = accountDatabase(bindings)

/** Far from now, so that no sweep of another test reports what these tests make. */
export const nowMs = Date.UTC(2100, 0, 1)
export const hour = 3600_000

const accountEvents = eventNames.filter((name) => areOfAccount([name]))

/**
 * A tenant whose second endpoint asks for the events of the account and leads to a receiver of its own, which behaves
 * as `query` says. Its first one is never called.
 */
export async function newAccountScene(query = '') {
  const tenant = await newTenant()
  const { tenantId } = tenant
  const { id: merchantId, bearer } = tenant.merchant
  const name = `account-${merchantId}`
  const db = databaseOf(tenantId)
  const deps = { db, keys, policy: localPolicy }
  const shop = { url: 'https://shop.example.com/hooks?token=secret', description: 'Shop' }
  await createEndpoint(deps, tenantId, endpointRequest.parse(shop), nowMs, someone)
  const notified = { url: receiver.url(name, query), events: accountEvents, secret }
  const endpoint = await createEndpoint(deps, tenantId, endpointRequest.parse(notified), nowMs, someone)
  const rows = async () =>
    await db
      .select()
      .from(deliveries)
      .where(and(eq(deliveries.tenantId, tenantId), eq(deliveries.endpointId, endpoint)))
      .orderBy(sql`rowid`)
  return {
    ...tenant,
    deps,
    merchantId,
    bearer,
    endpoint,
    /** The deliveries to it. */
    rows,
    events: async () => (await rows()).map(({ body }) => JSON.parse(body ?? '') as Record<string, unknown>),
    /** Makes the attempts of each until it has ended, each at its time. */
    async attemptAll() {
      const queue = { send: async () => {} } as unknown as Queue
      await vi.waitFor(
        async () => {
          const pending = (await rows()).filter(({ status }) => status === 'pending')
          for (const row of pending) {
            const now = () => row.nextAttemptAt ?? 0
            await attemptDelivery(nextMessage(row), { ...attemptDeps(db, queue, settings), now, random: () => 0 })
          }
          expect(pending).toEqual([])
        },
        { timeout: 300_000, interval: 10 },
      )
    },
    received: async () => await receiver.received(name),
    /** Changes the row of the endpoint, or of the first one. */
    async update(changes: Partial<typeof webhookEndpoints.$inferInsert>, id = endpoint) {
      await db.update(webhookEndpoints).set(changes).where(isEndpoint(tenantId, id))
    },
    async updateFirst(changes: Partial<typeof webhookEndpoints.$inferInsert>) {
      await this.update(changes, configEndpointId)
    },
    /** Counts garments and files as stored, of 100 and 10 at most. */
    async store(garments: number, files = 0) {
      const quotas = { ...uploadLimits.quotas, garments: 100, files: 10 }
      await db.run(addStored(tenantId, { garments, files }, quotas))
    },
    /** More than once, because quotas of other tests may come first. */
    async sweep(atMs = nowMs) {
      for (let times = 0; times < 5; times++) await reportQuotas(db, atMs)
    },
    /** Other tests' events may come first, and be carried by other tests. */
    async carry(atMs = nowMs) {
      for (let times = 0; times < 5; times++) await deliverWaitingEvents(accounts, databaseOf, atMs)
    },
    createKey: async (keyName: string) => await call('POST', '/merchant/tenant/api-key', bearer, { name: keyName }),
    revokeKey: async (id: string) => await call('DELETE', `/merchant/tenant/api-key/${id}`, bearer),
  }
}

/** An account whose first endpoint answers each attempt with a status of the test's choice. */
export async function newFailingScene() {
  const scene = await newAccountScene()
  const { tenantId } = scene
  const db = databaseOf(tenantId)
  await insertGarment(tenantId, 'g')
  const id = crypto.randomUUID()
  const times = { createdAt: nowMs - 6 * dayMs, updatedAt: nowMs, nextAttemptAt: nowMs, dueAt: nowMs }
  await db
    .insert(deliveries)
    .values({ ...taggingDelivery, id, tenantId, garmentUuid: 'g', status: 'pending', attemptCount: 0, ...times })
  return {
    ...scene,
    async answer(attempt: number, status: number, atMs: number) {
      await db
        .update(deliveries)
        .set({ status: 'pending', nextAttemptAt: atMs })
        .where(and(eq(deliveries.tenantId, tenantId), eq(deliveries.id, id)))
      const answer = { ok: status === 200, status, error: status === 200 ? null : '{"code":"timeout","params":{}}' }
      const deps: AttemptDeps = {
        ...attemptDeps(db, { send: async () => {} } as unknown as Queue, settings),
        call: async () => ({ ...answer, body: '', retryAfter: null, durationMs: 1 }),
        now: () => atMs,
        random: () => 0,
      }
      await attemptDelivery({ tenantId, deliveryId: id, endpointId: 'first', attempt }, deps)
    },
  }
}
