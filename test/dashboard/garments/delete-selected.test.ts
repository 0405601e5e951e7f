import { eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { auditEntries, garments } from '../../../src/platform/db/schema.ts'
import { insertGarment } from '../../garments/review/complete-garment.ts'
import { databaseOf, newMember, newTenant, raw } from '../../service.ts'
import { sessionOf } from '../session-of.ts'

async function newShop() {
  const { tenantId, merchant } = await newTenant()
  for (const uuid of ['a', 'b', 'c']) await insertGarment(tenantId, uuid)
  await insertGarment(tenantId, 'failed', { status: 'failed', result: null })
  const session = await sessionOf(merchant.id)
  return {
    tenantId,
    merchant,
    show: async (path: string, who = session) => await (await raw('GET', path, who)).text(),
    remove: async (uuids: readonly string[], who = session) =>
      await raw(
        'POST',
        '/dashboard/garments/delete?status=failed',
        { Origin: 'http://service.test', ...who },
        new URLSearchParams(uuids.map((uuid) => [`select.${uuid}`, 'yes'])),
      ),
    uuids: async () => {
      const rows = await databaseOf(tenantId).select().from(garments).where(eq(garments.tenantId, tenantId))
      return rows.map(({ uuid }) => uuid).sort()
    },
  }
}

it('garments that are ticked in the list go into the bin, failed ones too, and the list is shown again', async () => {
  const { tenantId, show, remove, uuids } = await newShop()
  const list = await show('/dashboard/garments?status=failed')
  expect(list).toContain('form="edit" name="select.failed"')
  expect(list).toContain('form="edit" formaction="/dashboard/garments/delete?status=failed"')
  // Somebody else has already deleted one of them.
  const answer = await remove(['a', 'gone', 'failed'])
  expect([answer.status, answer.headers.get('location')]).toEqual([
    303,
    '/dashboard/garments?status=failed&done=all_deleted&binned=a&binned=gone&binned=failed',
  ])
  expect(await uuids()).toEqual(['b', 'c'])
  expect(await show('/dashboard/garments?done=all_deleted')).toContain('The selected garments are in the bin.')
  const entries = await databaseOf(tenantId).select().from(auditEntries).where(eq(auditEntries.holderId, tenantId))
  const deleted = entries.filter(({ action }) => action === 'garment.binned')
  // One entry of a kind, which counts the garments and names the last.
  expect(deleted.map(({ actorName, subject, count }) => [actorName, subject, count])).toEqual([['Ann', 'failed', 2]])
})

it('of a longer selection than a page can have, the first 40 are deleted, so that a request stays bounded', async () => {
  const { tenantId, remove, uuids } = await newShop()
  const many = Array.from({ length: 41 }, (_, i) => `many-${i}`)
  for (const uuid of many) await insertGarment(tenantId, uuid)
  await remove(many)
  expect(await uuids()).toEqual(['a', 'b', 'c', 'failed', 'many-40'])
})

it('nothing is deleted without a selection, by a reviewer, or of another tenant', async () => {
  const [shop, other] = [await newShop(), await newShop()]
  const nothing = await shop.remove([])
  expect([nothing.status, (await nothing.text()).includes('Select at least one garment')]).toEqual([400, true])
  const reviewer = await newMember(shop.merchant.id, 'reviewer')
  const ofReviewer = await sessionOf(shop.merchant.id, Date.now(), reviewer.id)
  expect((await shop.remove(['a'], ofReviewer)).status).toBe(403)
  expect(await shop.show('/dashboard/garments', ofReviewer)).not.toContain('/dashboard/garments/delete')
  await shop.remove(['b'])
  expect([await shop.uuids(), await other.uuids()]).toEqual([
    ['a', 'c', 'failed'],
    ['a', 'b', 'c', 'failed'],
  ])
})
