import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { garments, tenantState } from '../../../src/platform/db/schema.ts'
import { continueReviewed, putReviewed } from '../../../src/garments/review/review.ts'
import { databaseOf, newTenant } from '../../service.ts'
import { storedResult } from '../../support/stored-result.ts'
import { newScene, tagged } from '../../tagging/scene.ts'
import { machineTag, updateDoubt } from './complete-garment.ts'
import { insertGarments } from '../../support/stored-garment/insert-garments.ts'

const countOf = async (tenantId: string, doubt: number) => {
  const [row] = await databaseOf(tenantId)
    .select({ count: sql<number>`count(*)` })
    .from(garments)
    .where(and(eq(garments.tenantId, tenantId), eq(garments.doubt, doubt)))
  return row?.count
}

it('what is reviewed reaches 1,000 garments at once and others in the sweep, and a later choice wins', async () => {
  const { tenantId } = await newTenant()
  const db = databaseOf(tenantId)
  const result = storedResult({ tag: machineTag })
  await insertGarments(db, 6500, () => ({ tenantId, result }))
  await putReviewed(db, tenantId, ['Fit'])
  expect(await countOf(tenantId, 400)).toBe(1000)
  await continueReviewed(db)
  expect(await countOf(tenantId, 400)).toBe(6500)
  await putReviewed(db, tenantId, ['Colour'])
  await putReviewed(db, tenantId, ['Sleeve'])
  expect(await countOf(tenantId, 400)).toBe(5500)
  for (let i = 0; i < 2; i++) await continueReviewed(db)
  expect(await countOf(tenantId, 0)).toBe(6500)
  const [tenant] = await db.select().from(tenantState).where(eq(tenantState.tenantId, tenantId))
  expect(tenant?.reviewPosition).toBe(null)
})

it('tenants that choose again and again keep no other one waiting', async () => {
  const { tenantId } = await newTenant()
  const db = databaseOf(tenantId)
  const names = Array.from({ length: 30 }, (_, i) => `${tenantId.slice(0, 3)}-chooses-${i}`)
  for (const id of names) await db.insert(tenantState).values({ tenantId: id, domain: id, createdAt: 1 })
  const waiting = new Set(names)
  for (let sweep = 0; sweep < 60 && waiting.size > 0; sweep++) {
    await db.update(tenantState).set({ reviewPosition: '' }).where(inArray(tenantState.tenantId, names))
    await continueReviewed(db)
    const reached = db.select().from(tenantState).where(isNull(tenantState.reviewPosition))
    for (const { tenantId: id } of await reached) waiting.delete(id)
  }
  expect([...waiting]).toEqual([])
})

it('the same choice again changes nothing', async () => {
  const { tenantId } = await newTenant()
  const db = databaseOf(tenantId)
  const position = async () => {
    const [tenant] = await db.select().from(tenantState).where(eq(tenantState.tenantId, tenantId))
    return tenant?.reviewPosition
  }
  await putReviewed(db, tenantId, ['Fit'])
  expect(await position()).toBe(null)
  await db.update(tenantState).set({ reviewPosition: 'here' }).where(eq(tenantState.tenantId, tenantId))
  await putReviewed(db, tenantId, ['Fit'])
  expect(await position()).toBe('here')
})

it('a garment that is tagged later is reviewed as its tenant has chosen', async () => {
  const scene = await newScene()
  const db = databaseOf(scene.tenantId)
  await putReviewed(db, scene.tenantId, ['Closure'])
  const tag = { ...tagged.tag, Colour: 'Red', Closure: 'Zip' }
  const tagPicture = async () =>
    await Promise.resolve({
      ...tagged,
      tag,
      details: { ...tagged.details, probabilities: { Colour: [0.4], Closure: [0.7] } },
    })
  await scene.tag({ tagPicture })
  expect((await scene.garment()).doubt).toBe(300)
})

it('the doubt of a garment is made from the probabilities of its doubtful values', async () => {
  const scene = await newScene()
  const tag = { 'Item Type': 'Skirt', Colour: 'Red', Fit: 'Slim' }
  const doubt = async (probabilities: Record<string, number[]>) => {
    await databaseOf(scene.tenantId)
      .update(garments)
      .set({ result: storedResult({ tag, details: { probabilities } }) })
      .where(eq(garments.tenantId, scene.tenantId))
    await updateDoubt(scene.tenantId)
    return (await scene.garment()).doubt
  }
  expect(await doubt({ 'Item Type': [0.6], Colour: [0.8], Fit: [0.1] })).toBe(300)
  expect(await doubt({ 'Item Type': [0.68], Colour: [0.8], Fit: [0.1] })).toBe(260)
  expect(await doubt({ 'Item Type': [0.682], Colour: [0.8], Fit: [0.1] })).toBe(0)
  expect(await doubt({ 'Item Type': [0.4], Colour: [0.95], Fit: [0.1] })).toBe(300)
  expect(await doubt({ 'Item Type': [1], Colour: [1], Fit: [0.1] })).toBe(0)
})
