import { and, eq } from 'drizzle-orm'
import { expect, vi } from 'vitest'
import { accountDatabase } from '../../src/platform/db/databases.ts'
import { accountEndpoint, deliveries, webhookEndpoints } from '../../src/platform/db/schema.ts'
import { nextMessage } from '../../src/events/delivery.ts'
import { attemptDelivery, attemptDeps } from '../../src/webhooks/deliveries/attempt-delivery.ts'
import { addStored } from '../../src/accounts/quotas.ts'
import { sweepAccountWebhooks } from '../../src/webhooks/report-account-events.ts'
import { createEndpoint } from '../../src/webhooks/endpoints/change-endpoint.ts'
import { endpointRequest } from '../../src/webhooks/fields.ts'
import { bindings, call, databaseOf, newTenant, someone, uploadLimits } from '../service.ts'
import { keys, localPolicy, receiver, settings } from './webhook-scene.ts'

export const accounts = accountDatabase(bindings)

export const webhookPath = '/merchant/webhook'

/** Far from now, so that no sweep of another test tells what these tests make. */
export const nowMs = Date.UTC(2100, 0, 1)
export const hour = 3600_000
export const never = Number.MIN_SAFE_INTEGER

/** A tenant whose account has a webhook that leads to a receiver of its own, which behaves as `query` says. */
export async function newAccountScene(query = '') {
  const tenant = await newTenant()
  const { id: merchantId, bearer } = tenant.merchant
  const name = `account-${merchantId}`
  const url = receiver.url(name, query)
  const put = await call('PUT', webhookPath, bearer, { url })
  const db = databaseOf(tenant.tenantId)
  const rows = async () =>
    await accounts
      .select()
      .from(deliveries)
      .where(and(eq(deliveries.tenantId, merchantId), eq(deliveries.endpoint, accountEndpoint)))
  return {
    ...tenant,
    merchantId,
    bearer,
    url,
    secret: put.body.data.secret as string,
    /** The deliveries to it. */
    rows,
    /**
     * Makes the attempts of each until it has ended, each at its time. Another test's sweep may make some of them.
     */
    async attemptAll() {
      const queue = { send: async () => {} } as unknown as Queue
      await vi.waitFor(
        async () => {
          const pending = (await rows()).filter(({ status }) => status === 'pending')
          for (const row of pending) {
            const now = () => row.nextAttemptAt ?? 0
            await attemptDelivery(nextMessage(row), { ...attemptDeps(accounts, queue, settings), now, random: () => 0 })
          }
          expect(pending).toEqual([])
        },
        { timeout: 300_000, interval: 10 },
      )
    },
    received: async () => await receiver.received(name),
    bodies: async () => (await receiver.received(name)).map(({ body }) => JSON.parse(body) as Record<string, unknown>),
    async webhook() {
      const [row] = await accounts
        .select()
        .from(webhookEndpoints)
        .where(and(eq(webhookEndpoints.tenantId, merchantId), eq(webhookEndpoints.endpoint, accountEndpoint)))
      return row
    },
    /** Adds the tenant's first endpoint, with this state; returns what changes it. */
    async addFailing(state: Partial<typeof webhookEndpoints.$inferInsert>) {
      const endpoint = endpointRequest.parse({
        url: 'https://shop.example.com/hooks?token=secret',
        description: 'Shop',
      })
      await createEndpoint({ db, keys, policy: localPolicy }, tenant.tenantId, endpoint, nowMs, someone)
      const update = async (changes: typeof state) =>
        await db.update(webhookEndpoints).set(changes).where(eq(webhookEndpoints.tenantId, tenant.tenantId))
      await update(state)
      return update
    },
    /** Counts garments and files as stored, of 100 and 10 at most. */
    async store(garments: number, files = 0) {
      const quotas = { ...uploadLimits.quotas, garments: 100, files: 10 }
      await db.run(addStored(tenant.tenantId, { garments, files }, quotas))
    },
    /** More than once, because endpoints of other tests may come first. */
    async sweep(atMs = nowMs) {
      for (let times = 0; times < 5; times++) await sweepAccountWebhooks({ accounts, db }, never, atMs)
    },
    createKey: async (keyName: string) => await call('POST', '/merchant/tenant/api-key', bearer, { name: keyName }),
    revokeKey: async (id: string) => await call('DELETE', `/merchant/tenant/api-key/${id}`, bearer),
  }
}
