import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { limitWrites } from '../../src/dashboard/limit-writes.ts'
import { listImports } from '../../src/imports/get-import.ts'
import { auditEntries, imports } from '../../src/platform/db/schema.ts'
import { bindings, databaseOf, newTenant, raw } from '../service.ts'
import { sessionOf } from './session-of.ts'

const origin = 'http://service.test'

describe('imports that are ticked in the list', () => {
  const [first, second, storing] = Array.from({ length: 3 }, (_, i) => `0b0b0b0b-0000-4000-8000-00000000000${i}`)

  async function newShop() {
    const { merchant, tenantId } = await newTenant()
    const session = await sessionOf(merchant.id)
    const db = databaseOf(tenantId)
    const row = { tenantId, name: 'stock <1>', origin: '', createdAt: 1, storedAt: 1, endedAt: 2 }
    await db.insert(imports).values([
      { ...row, id: `${first}` },
      { ...row, id: `${second}` },
      { ...row, id: `${storing}`, storedAt: null, endedAt: null },
    ])
    return {
      tenantId,
      session,
      remove: async (ids: readonly unknown[]) => {
        const fields = new URLSearchParams(ids.map((id) => [`select.${String(id)}`, 'yes']))
        return await raw('POST', '/dashboard/imports/delete', { ...session, Origin: origin }, fields)
      },
      show: async (path: string) => await (await raw('GET', path, session)).text(),
      ids: async () => (await listImports(db, tenantId, { limit: 10 })).rows.map(({ id }) => id).sort(),
    }
  }

  it('are deleted together, and the log counts them', async () => {
    const { show, remove, ids, tenantId } = await newShop()
    const list = await show('/dashboard/imports')
    expect(list.match(/type="checkbox" form="delete-imports" name="select\.[\w-]+"/g)?.length).toBe(3)
    expect(list).toContain('aria-label="Select stock &lt;1&gt;" disabled=""')
    const answer = await remove([first, second])
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/dashboard/imports?done=all_deleted'])
    expect(await ids()).toEqual([storing])
    const page = await show('/dashboard/imports?done=all_deleted')
    expect(page).toContain('The selected imports are in the bin.')
    expect(page).not.toContain('Delete several imports')
    const entries = await databaseOf(tenantId).select().from(auditEntries).where(eq(auditEntries.holderId, tenantId))
    const deleted = entries.filter(({ action }) => action === 'import.binned')
    expect(deleted.map(({ subject, count }) => [subject, count])).toEqual([['stock <1>', 2]])
  })

  it('stay where they are being stored, and others are deleted', async () => {
    const { show, remove, ids } = await newShop()
    const answer = await remove([first, storing])
    expect(answer.headers.get('location')).toBe('/dashboard/imports?done=some_deleted')
    expect(await ids()).toEqual([second, storing])
    expect(await show('/dashboard/imports?done=some_deleted')).toContain(
      'Not all of the selected imports are in the bin.',
    )
  })

  it('are not deleted above the limit of changes', async () => {
    const { remove, ids, tenantId } = await newShop()
    for (let i = 0; i < 60; i++) await limitWrites(bindings, tenantId)
    expect((await remove([first])).status).toBe(429)
    expect((await ids()).length).toBe(3)
  })

  it('must be some, and are those of the tenant', async () => {
    const [shop, other] = [await newShop(), await newTenant()]
    const nothing = await shop.remove([])
    expect([nothing.status, (await nothing.text()).includes('Select at least one import')]).toEqual([400, true])
    const session = { ...(await sessionOf(other.merchant.id)), Origin: origin }
    await raw('POST', '/dashboard/imports/delete', session, new URLSearchParams({ [`select.${first}`]: 'yes' }))
    expect((await shop.ids()).length).toBe(3)
  })
})
