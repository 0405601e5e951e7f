import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { startDeliveries } from '../../src/events/delivery-transitions.ts'
import { runBatch } from '../../src/platform/db/database.ts'
import { call, databaseOf, newTenant } from '../service.ts'

it('a deleted tenant’s endpoints are sent nothing about a garment whose tagging runs on', async () => {
  const { merchant, tenantId, auth } = await newTenant()
  const url = 'http://127.0.0.1:9/'
  await call('PUT', '/garment-tagging/webhook/config', auth, { enabled: true, url })
  await call('POST', '/garment-tagging/webhook/endpoints', auth, { url })
  const db = databaseOf(tenantId)
  const event = { event: 'tagging.completed', tenantId, garmentUuid: 'g', when: sql`1` } as const
  // As the end of the tagging stores them.
  const start = async () => await runBatch(db, { started: startDeliveries(db, event, Date.now()).statements })
  expect((await call('DELETE', '/merchant/tenant', merchant.bearer)).status).toBe(200)
  expect(await start()).toEqual({ started: [] })
})
