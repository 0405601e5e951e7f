import { taggingDelivery } from '../../support/tagging-delivery.ts'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { createClock } from '../../../src/dashboard/clock.ts'
import { readDeliveryFilter } from '../../../src/dashboard/webhook/deliveries-page.tsx'
import { deliveries, rangeRedeliveries } from '../../../src/platform/db/schema.ts'
import { databaseOf } from '../../service.ts'
import { newVisitor, url } from './visitor.ts'

it("the deliveries' filter reads times in the zone in which the list shows them", () => {
  const clock = createClock('Europe/Berlin')
  const filter = readDeliveryFilter({ from: '2026-07-01T12:00', to: '2026-02-01T12:00' }, clock)
  expect([filter.fromMs, filter.untilMs]).toEqual([Date.UTC(2026, 6, 1, 10), Date.UTC(2026, 1, 1, 11)])
  for (const from of ['2026-13-01T12:00', '0000-01-01T00:00', 'soon'])
    expect(readDeliveryFilter({ from }, clock).fromMs).toBe(undefined)
})

describe('the deliveries page', () => {
  const path = '/dashboard/deliveries'

  it('lists the deliveries of one endpoint and time, and keeps the filter in its links', async () => {
    const visitor = await newVisitor()
    await visitor.add({ url })
    const { tenantId } = visitor
    const createdAt = Date.UTC(2026, 0, 2)
    const delivered = { ...taggingDelivery, tenantId, status: 'delivered', createdAt, updatedAt: createdAt } as const
    for (const id of ['a', 'b'])
      await databaseOf(tenantId)
        .insert(deliveries)
        .values({ ...delivered, id, garmentUuid: id })
    const shown = await visitor.show(`${path}?endpoint=first&from=2026-01-02T00:00&to=2026-01-02T00:01`)
    expect(shown.match(/dashboard\/delivery\?uuid=/g)).toHaveLength(2)
    expect(shown).toContain('endpoint=first&amp;from=2026-01-02T00%3A00&amp;to=2026-01-02T00%3A01&amp;status=pending')
    expect(await visitor.show(`${path}?from=2026-01-02T00:01`)).toContain('No matching deliveries')
    expect(await visitor.show(`${path}?endpoint=unknown`)).toContain('No matching deliveries')
  })

  it('sends all that the filter shows again in the background, once, and shows the progress', async () => {
    const visitor = await newVisitor()
    await visitor.add({ url })
    const fields = { endpoint: 'first', status: 'permanently_failed', from: '2026-01-02T00:00' }
    const accepted = await visitor.post(`${path}/redeliver`, fields)
    expect(accepted.status).toBe(303)
    const [row] = await databaseOf(visitor.tenantId)
      .select()
      .from(rangeRedeliveries)
      .where(eq(rangeRedeliveries.tenantId, visitor.tenantId))
    expect(row).toMatchObject({ endpointId: 'first', status: 'permanently_failed', fromAt: Date.UTC(2026, 0, 2) })
    const page = await visitor.show(accepted.headers.get('location') ?? '')
    for (const part of ['sent again within minutes', '<progress', 'data-live']) expect(page).toContain(part)
    const again = await visitor.post(`${path}/redeliver`, fields)
    expect([again.status, await again.text()]).toEqual([
      409,
      expect.stringContaining('Wait until the redelivery of the earlier time range has ended.'),
    ])
  })

  it('refuses to send them again while the endpoint is off', async () => {
    const visitor = await newVisitor()
    await visitor.add({ url, enabled: false })
    const answer = await visitor.post(`${path}/redeliver`, {})
    expect([answer.status, await answer.text()]).toEqual([
      409,
      expect.stringContaining('Enable the webhook before redelivering.'),
    ])
  })
})
