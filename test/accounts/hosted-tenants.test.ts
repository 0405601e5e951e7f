import { annotatedCopyName, copyKey, picturePath } from '../../src/garments/pictures/stored-copy.ts'
import { eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { accountDatabase, getDatabase } from '../../src/platform/db/databases.ts'
import { garments, tenantPurges } from '../../src/platform/db/schema.ts'
import { sweepDatabase } from '../../src/operations/sweep.ts'
import { makePurgeDue } from '../operations/purge-tenant.ts'
import { newTenantIn, request, threeDatabases } from '../platform/db/three-databases.ts'
import { bindings } from '../service.ts'
import { insertGarments } from '../support/stored-garment/insert-garments.ts'

const hour = 3600_000
const accounts = accountDatabase(threeDatabases)

it.each([1, 3])('a tenant in database %i is deleted with its pictures hidden at once, and purged', async (number) => {
  const { merchant, tenantId } = await newTenantIn(number)
  const db = getDatabase(threeDatabases, number)
  await insertGarments(db, 1, () => ({ tenantId }))
  await bindings.PICTURES.put(copyKey(tenantId, 'p'), 'x')
  const picture = picturePath(tenantId, annotatedCopyName('p'))
  expect((await request(threeDatabases, 'DELETE', '/merchant/tenant', merchant.bearer)).status).toBe(200)
  expect((await request(threeDatabases, 'GET', picture, {})).status).toBe(404)
  // The first step removes rows and pictures, the second one finds none.
  for (let i = 1; i <= 2; i++) {
    await makePurgeDue(tenantId)
    await sweepDatabase(threeDatabases, number, Date.now() + i * hour)
  }
  expect(await db.select().from(garments).where(eq(garments.tenantId, tenantId))).toEqual([])
  expect(await bindings.PICTURES.head(copyKey(tenantId, 'p'))).toBe(null)
  expect(await accounts.select().from(tenantPurges).where(eq(tenantPurges.tenantId, tenantId))).toEqual([])
})
