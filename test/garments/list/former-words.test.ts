import { and, eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { correctGarment } from '../../../src/garments/corrections/correct-garment.ts'
import { garments, searchWords } from '../../../src/platform/db/schema.ts'
import { catchUp } from '../../../src/garments/list/index-new-garments.ts'
import { deps, insertGarment } from '../review/complete-garment.ts'
import { databaseOf, newTenant } from '../../service.ts'

const nowMs = 10_000_000

it('the index of the search keeps words of the present and the former values only, and none of former uploads', async () => {
  const { tenantId } = await newTenant()
  const db = databaseOf(tenantId)
  await insertGarment(tenantId, 'b', { attribute: '{"Shelf":"K 12","Title":"Red summer dress"}', createdAt: 2000 })
  await catchUp(db, tenantId, nowMs)
  const mine = and(eq(searchWords.tenantId, tenantId), eq(searchWords.uuid, 'b'))
  const words = async () => (await db.select().from(searchWords).where(mine)).map(({ word }) => word)
  for (const [shelf, kept] of [
    ['Z1', ['12', 'k', 'z1']],
    ['Z2', ['z1', 'z2']],
    ['Z3', ['z2', 'z3']],
    ['Z3', ['z2', 'z3']],
  ] as const) {
    const patch = { tag: {}, measurements: {}, attribute: { Shelf: shelf } }
    await correctGarment(
      { ...deps, db },
      tenantId,
      { uuid: 'b', patch, by: { kind: 'member', id: 's', name: 'Ann' } },
      nowMs,
    )
    expect((await words()).sort()).toEqual(['dress', 'red', 'summer', ...kept].sort())
  }
  const isGarment = and(eq(garments.tenantId, tenantId), eq(garments.uuid, 'b'))
  // As an upload after a failure does.
  await db
    .update(garments)
    .set({ createdAt: nowMs + 1, endedAt: nowMs + 1 })
    .where(isGarment)
  await catchUp(db, tenantId, nowMs + 2)
  expect((await words()).sort()).toEqual(['dress', 'red', 'summer', 'z3'])
})
