import { eq, inArray } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { accountDatabase, getDatabase, newTenantId } from '../../src/platform/db/databases.ts'
import { garments, tenantPurges, tenantState } from '../../src/platform/db/schema.ts'
import { sweepDatabase } from '../../src/operations/sweep.ts'
import { makePurgeDue } from '../operations/purge-tenant.ts'
import { confirmTenants } from '../../src/accounts/create-tenant.ts'
import { newTenantIn, request, threeDatabases } from '../platform/db/three-databases.ts'
import { bindings } from '../service.ts'

const hour = 3600_000
const accounts = accountDatabase(threeDatabases)
const hostedIn = async (number: number, tenantId: string) =>
  (await getDatabase(threeDatabases, number).select().from(tenantState).where(eq(tenantState.tenantId, tenantId)))[0]

describe("a tenant's row in its database", () => {
  it.each([1, 2])(
    'is removed from database %i when the account was never stored, and confirmed when it was',
    async (number) => {
      const { tenantId } = await newTenantIn(number)
      const lost = newTenantId(number)
      const db = getDatabase(threeDatabases, number)
      await db.insert(tenantState).values({ tenantId: lost, createdAt: Date.now() })
      const confirm = async (nowMs: number) => await confirmTenants({ accounts, db }, nowMs)
      await confirm(Date.now() + hour / 10)
      expect(await hostedIn(number, lost)).toMatchObject({ isConfirmed: false })
      await confirm(Date.now() + hour)
      expect(await hostedIn(number, lost)).toBe(undefined)
      expect(await hostedIn(number, tenantId)).toMatchObject({ isConfirmed: true })
      const purged = await accounts
        .select()
        .from(tenantPurges)
        .where(inArray(tenantPurges.tenantId, [lost, tenantId]))
      expect(purged.map((purge) => purge.tenantId)).toEqual([lost])
    },
  )
})

it.each([1, 3])('a tenant in database %i is deleted with its pictures hidden at once, and purged', async (number) => {
  const { merchant, tenantId } = await newTenantIn(number)
  const db = getDatabase(threeDatabases, number)
  const row = { tenantId, uuid: 'g', imageUrl: '', attribute: '{}', origin: '', pictureId: 'p', createdAt: 1 }
  await db.insert(garments).values({ ...row, status: 'complete', endedAt: 1 })
  await bindings.PICTURES.put(`copies/${tenantId}/p`, 'x')
  const picture = `/garment-tagging/annotated/${tenantId}/p`
  expect((await request(threeDatabases, 'DELETE', '/merchant/tenant', merchant.bearer)).status).toBe(200)
  expect((await request(threeDatabases, 'GET', picture, {})).status).toBe(404)
  // The first step removes rows and pictures, the second one finds none.
  for (let i = 1; i <= 2; i++) {
    await makePurgeDue(tenantId)
    await sweepDatabase(threeDatabases, number, Date.now() + i * hour)
  }
  expect(await db.select().from(garments).where(eq(garments.tenantId, tenantId))).toEqual([])
  expect(await bindings.PICTURES.head(`copies/${tenantId}/p`)).toBe(null)
  expect(await accounts.select().from(tenantPurges).where(eq(tenantPurges.tenantId, tenantId))).toEqual([])
})
