import { and, eq } from 'drizzle-orm'
import { expect, vi } from 'vitest'
import { accountDatabase } from '../../../src/db/databases/find-database.ts'
import { accountEndpoint, deliveries, webhookEndpoints } from '../../../src/db/schema.ts'
import { nextMessage } from '../../../src/webhook/delivery/message.ts'
import { attemptDelivery, attemptDeps } from '../../../src/webhook/dispatch/attempt-delivery.ts'
import { bindings, call, newTenant } from '../../service.ts'
import { receiver, settings } from '../scene.ts'

export const accounts = accountDatabase(bindings)

export const webhookPath = '/merchant/webhook'

/** A tenant whose account has a webhook that leads to a receiver of its own, which behaves as `query` says. */
export async function newAccountScene(query = '') {
  const tenant = await newTenant()
  const { id: merchantId, bearer } = tenant.merchant
  const name = `account-${merchantId}`
  const url = receiver.url(name, query)
  const put = await call('PUT', webhookPath, bearer, { url })
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
        { timeout: 25_000, interval: 10 },
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
    createKey: async (keyName: string) => await call('POST', '/merchant/tenant/api-key', bearer, { name: keyName }),
    revokeKey: async (id: string) => await call('DELETE', `/merchant/tenant/api-key/${id}`, bearer),
  }
}
