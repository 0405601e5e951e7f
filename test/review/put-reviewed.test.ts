import { and, eq, sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { defaultReviewed, garments, tenantState } from '../../src/db/schema.ts'
import { claimGarment, leaseMs } from '../../src/review/claim-garment.ts'
import { continueReviewed, putReviewed } from '../../src/review/put-reviewed.ts'
import { maskOf } from '../../src/review/reviewed-attributes.ts'
import { databaseOf, newTenant } from '../service.ts'
import { newScene } from '../tagging/scene.ts'
import { insertGarment, machineTag } from './complete-garment.ts'

const countOf = async (tenantId: string, reviewed: number) => {
  const [row] = await databaseOf(tenantId)
    .select({ count: sql<number>`count(*)` })
    .from(garments)
    .where(and(eq(garments.tenantId, tenantId), eq(garments.reviewed, reviewed)))
  return row?.count
}

it('what is reviewed reaches 1,000 garments at once and others in the sweep, and a later choice wins', async () => {
  const { tenantId } = await newTenant()
  const db = databaseOf(tenantId)
  await db.run(sql`
    INSERT INTO garments (tenant_id, uuid, image_url, attribute, origin, status, picture_id, created_at, ended_at, tag, measurements)
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 6500)
    SELECT ${tenantId}, 'g' || i, 'https://a.example/', '{}', 'https://s.example', 'complete', 'p' || i, i, i,
      ${JSON.stringify(machineTag)}, '{}' FROM n`)
  const fit = maskOf(['Fit'])
  await putReviewed(db, tenantId, ['Fit'])
  expect(await countOf(tenantId, fit)).toBe(1000)
  await continueReviewed(db)
  expect(await countOf(tenantId, fit)).toBe(6500)
  await putReviewed(db, tenantId, ['Colour'])
  await putReviewed(db, tenantId, ['Sleeve'])
  for (let i = 0; i < 2; i++) await continueReviewed(db)
  expect(await countOf(tenantId, maskOf(['Sleeve']))).toBe(6500)
  const [tenant] = await db.select().from(tenantState).where(eq(tenantState.tenantId, tenantId))
  expect(tenant?.reviewPosition).toBe(null)
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
  await db.insert(tenantState).values({ tenantId: scene.tenantId, createdAt: 0, isConfirmed: true })
  await putReviewed(db, scene.tenantId, ['Closure'])
  await scene.tag()
  expect((await scene.garment()).reviewed).toBe(maskOf(['Closure']))
})

it('garments that an earlier version stored count every doubt, until the sweep has stored what is reviewed', async () => {
  const { tenantId } = await newTenant()
  const db = databaseOf(tenantId)
  const tag = { 'Item Type': 'Skirt', 'Item Type Confidence': 'High', Fit: 'Pencil', 'Fit Confidence': 'Low' }
  await insertGarment(tenantId, 'g', { tag, reviewed: null })
  expect(await claimGarment(db, tenantId, 's', 0)).toBe('g')
  // As the migration leaves it.
  await db.update(tenantState).set({ reviewPosition: '' }).where(eq(tenantState.tenantId, tenantId))
  await continueReviewed(db)
  expect(await claimGarment(db, tenantId, 's', leaseMs)).toBe(null)
  expect(await countOf(tenantId, defaultReviewed)).toBe(1)
})

it('the doubt of a garment is made from the probabilities of its doubtful values', async () => {
  const scene = await newScene()
  const tag = { 'Item Type': 'Skirt', 'Item Type Confidence': 'Low', Colour: 'Red', 'Colour Confidence': 'Medium' }
  const details = { shown: 'flat', scale: null, notes: [], tagger: '1' } as const
  const points = async (probabilities: Record<string, number[]>) => {
    await databaseOf(scene.tenantId)
      .update(garments)
      .set({
        tag: { ...tag, Fit: 'Slim', 'Fit Confidence': 'Low' },
        details: { ...details, probabilities },
        reviewed: defaultReviewed,
      })
      .where(eq(garments.tenantId, scene.tenantId))
    const [row] = await databaseOf(scene.tenantId)
      .select({ points: sql<number>`doubt_points` })
      .from(garments)
      .where(eq(garments.tenantId, scene.tenantId))
    return row?.points
  }
  expect(await points({ 'Item Type': [0.4], Colour: [0.7], Fit: [0.1] })).toBe(600 + 300)
  expect(await points({ 'Item Type': [0.55], Colour: [0.8], Fit: [0.1] })).toBe(450 + 200)
  // Of a version that stored no probabilities.
  expect(await points({})).toBe(500 + 250)
})
