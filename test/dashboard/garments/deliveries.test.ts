import { taggingDelivery } from '../../support/tagging-delivery.ts'
import { and, eq, ne } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { deliveries, webhookEndpoints } from '../../../src/platform/db/schema.ts'
import { insertGarment } from '../../garments/review/complete-garment.ts'
import { databaseOf, newMember, raw } from '../../service.ts'
import { sessionOf } from '../session-of.ts'
import { newVisitor, url } from '../webhook/visitor.ts'

const path = '/dashboard/garment?uuid=a/1'

/** Creates a garment that was delivered to the first endpoint and failed at another one. */
async function newScene() {
  const visitor = await newVisitor()
  const { tenantId } = visitor
  await visitor.add({ url })
  const { id } = await visitor.add({ url: 'http://127.0.0.1:9/search', description: 'Search <index>' })
  await insertGarment(tenantId, 'a/1')
  const sent = { ...taggingDelivery, tenantId, garmentUuid: 'a/1', createdAt: Date.now(), updatedAt: Date.now() }
  await databaseOf(tenantId)
    .insert(deliveries)
    .values([
      { ...sent, id: `${tenantId}-1`, status: 'delivered', attemptCount: 1 },
      { ...sent, id: `${tenantId}-2`, status: 'permanently_failed', attemptCount: 9, endpointId: id },
      // A delivery of another garment, and one of a correction.
      { ...sent, id: `${tenantId}-3`, status: 'pending', garmentUuid: 'a/10', dueAt: Date.now() + 3600_000 },
      { ...sent, id: `${tenantId}-4`, status: 'pending', kind: 'correction', dueAt: Date.now() + 3600_000 },
    ])
  /** Returns the text of each delivery on the page. */
  const shown = async () => {
    const section = /<details class="section" id="delivery"(.*?)<\/details>/s.exec(await visitor.show(path))?.[1] ?? ''
    const text = (html: string) =>
      html
        .replaceAll(/<[^>]*>/g, ' ')
        .replaceAll(/\s+/g, ' ')
        .trim()
    return { section, each: section.split('<h3>').slice(1).map(text) }
  }
  return { ...visitor, id, shown }
}

it("a garment's page shows its delivery to each endpoint, with its state and a link to its attempts", async () => {
  const { id, shown } = await newScene()
  const { section, each } = await shown()
  expect(each).toEqual([
    expect.stringMatching(/^127\.0\.0\.1:9\/hooks Status .*Delivered.* Attempts 1 .*Send again$/),
    expect.stringMatching(/^Search &lt;index&gt; Status .*Permanently failed.* Attempts 9 .*Send again$/),
    expect.stringMatching(/^127\.0\.0\.1:9\/hooks, correction Status .*Pending/),
  ])
  for (const query of ['?uuid=a%2F1"', `?uuid=a%2F1&amp;endpoint=${id}"`])
    expect(section).toContain(`href="/dashboard/delivery${query}`)
})

it("a garment's page says that the bin does not keep its deliveries, where it has some", async () => {
  const { tenantId, show } = await newScene()
  expect(await show(path)).toContain('The record of its deliveries is removed.')
  await insertGarment(tenantId, 'b')
  const without = await show('/dashboard/garment?uuid=b')
  expect(without).toContain('Move it to the bin')
  expect(without).not.toContain('is removed')
})

it("a garment's page sends any of its deliveries again, also to an endpoint after the first", async () => {
  const { id, post, show, shown } = await newScene()
  const { section } = await shown()
  expect(section).toContain(`action="/dashboard/delivery?uuid=a%2F1&amp;endpoint=${id}"`)
  const answer = await post('/dashboard/delivery', { uuid: 'a/1', kind: 'tagging', endpoint: id })
  const location = `/dashboard/delivery?uuid=a%2F1&endpoint=${id}`
  expect([answer.status, answer.headers.get('location')]).toEqual([303, location])
  expect(await show(location)).toMatch(/Pending|Delivered|Permanently failed/)
  expect((await shown()).each[0]).toContain('Attempts 1 ')
})

it("a garment's page shows a delivery to an endpoint that was disabled or deleted, and cannot send it again", async () => {
  const { tenantId, shown } = await newScene()
  const db = databaseOf(tenantId)
  const isOurs = and(eq(webhookEndpoints.tenantId, tenantId), ne(webhookEndpoints.id, 'first'))
  await db.update(webhookEndpoints).set({ enabled: false }).where(isOurs)
  expect((await shown()).each[1]).toMatch(/^Search &lt;index&gt; Status .* The webhook is off\./)
  await db.delete(webhookEndpoints).where(isOurs)
  expect((await shown()).each[1]).toMatch(/^A deleted endpoint Status .* The webhook is off\./)
  expect((await shown()).each[0]).toContain('Send again')
})

it("a garment's page shows only the states of deliveries to members who may not send them again", async () => {
  const { merchantId } = await newScene()
  const { id } = await newMember(merchantId, 'reviewer')
  const html = await (await raw('GET', path, await sessionOf(merchantId, Date.now(), id))).text()
  expect(html).toContain('Permanently failed')
  for (const part of ['Send again', '/dashboard/delivery?']) expect(html).not.toContain(part)
})
