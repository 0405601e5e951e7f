import { and, eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { correctGarment } from '../../src/garments/corrections/correct-garment.ts'
import { garments } from '../../src/platform/db/schema.ts'
import { sweepGarments } from '../../src/tagging/sweep-garments.ts'
import { deps, insertGarment } from '../garments/review/complete-garment.ts'
import { db, hour, minute, newScene, noGarment, startMs } from './scene.ts'

/** A tenant with complete garments besides its first, `g`, which is complete too. */
async function newStock(uuids: readonly string[]) {
  const scene = await newScene()
  await scene.tag()
  for (const uuid of uuids) await insertGarment(scene.tenantId, uuid)
  const { tenantId, clock } = scene
  const change = async (uuid: string, isOfFile: boolean) => {
    clock.now++
    const patch = { tag: {}, measurements: {}, attribute: { Gender: 'Girls', Age: '6' } }
    const corrected = {
      uuid,
      patch,
      by: { kind: 'member', id: 's', name: 'Ann' } as const,
      ...(isOfFile && { importId: 'i' }),
    }
    await correctGarment({ ...deps, ...scene.deps }, tenantId, corrected, clock.now)
  }
  const enqueued = () => scene.enqueued().map(({ uuid }) => uuid)
  const latest = () => {
    const message = scene.enqueued().at(-1)
    if (message === undefined) throw new Error('Nothing was enqueued')
    return message
  }
  const garment = async (uuid: string) =>
    (
      await db
        .select()
        .from(garments)
        .where(and(eq(garments.tenantId, tenantId), eq(garments.uuid, uuid)))
    )[0]
  return { ...scene, change, enqueued, latest, garment }
}

describe('garments that are tagged again', () => {
  it('take turns when a file changes many: one is in the queue, and the next when it ends, well or not', async () => {
    const stock = await newStock(['a', 'b', 'c'])
    for (const uuid of ['a', 'b', 'c']) await stock.change(uuid, true)
    expect(stock.enqueued()).toEqual(['a'])
    await stock.tag({ tagPicture: () => Promise.reject(new Error('broken')) }, stock.latest())
    expect(stock.enqueued()).toEqual(['a', 'b'])
    await stock.tag(noGarment, stock.latest())
    expect(stock.enqueued()).toEqual(['a', 'b', 'c'])
    await stock.tag({}, stock.latest())
    expect(await stock.garment('c')).toMatchObject({ queuedAt: null, dueAt: null })
  })

  it('come before all that wait after a correction by a person, and after them if a file changes them', async () => {
    const stock = await newStock(['by a file', 'by a person'])
    for (const uuid of ['first', 'second']) await stock.upload(`https://a.example/${uuid}`, uuid)
    expect(stock.enqueued()).toEqual([])
    await stock.change('by a file', true)
    await stock.change('by a person', false)
    await stock.tag({}, { tenantId: stock.tenantId, uuid: 'first' })
    expect(stock.enqueued().slice(0, 1)).toEqual(['by a person'])
    while (stock.enqueued().length < 3) await stock.tag({}, stock.latest())
    expect(stock.enqueued().indexOf('by a file')).toBe(2)
  })

  it('are enqueued again if their message is lost or their run dies, and stay complete', async () => {
    const stock = await newStock(['a'])
    await stock.change('a', true)
    await sweepGarments(stock.sweepDeps, startMs + 2 * minute)
    expect(stock.enqueued()).toEqual(['a', 'a'])
    await db
      .update(garments)
      .set({ claimId: 'dead', leaseUntil: startMs })
      .where(and(eq(garments.tenantId, stock.tenantId), eq(garments.uuid, 'a')))
    await sweepGarments(stock.sweepDeps, startMs + 24 * hour)
    expect(stock.enqueued()).toEqual(['a', 'a', 'a'])
    expect(await stock.garment('a')).toMatchObject({ status: 'complete', claimId: null })
    await stock.tag({}, stock.latest())
    expect(await stock.garment('a')).toMatchObject({ status: 'complete', dueAt: null })
  })
})
