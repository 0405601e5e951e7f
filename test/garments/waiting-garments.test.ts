import { and, count, eq } from 'drizzle-orm'
import { pictureAt } from '../../src/garments/pictures/garment-picture.ts'
import { describe, expect, it } from 'vitest'
import { garments, tenantCounters } from '../../src/platform/db/schema.ts'
import { isActive } from '../../src/garments/turns.ts'
import { uploadGarment } from '../../src/garments/upload-garment.ts'
import { ImageError } from '../../src/platform/outbound/fetch-image.ts'
import { sweepGarments } from '../../src/tagging/sweep-garments.ts'
import { uploadLimits } from '../service.ts'
import { db, failsWith, hour, newHolder, newScene, startMs } from '../tagging/scene.ts'

const upload = async (tenantId: string, uuid: string, maxWaiting = 3) =>
  await uploadGarment(
    db,
    tenantId,
    { uuid, pictures: [pictureAt('https://a.example/')], attribute: {}, origin: 'https://s.example' },
    { ...uploadLimits, maxWaiting, nowMs: startMs },
  )

const tooMany = {
  status: 429,
  problems: ['A tenant has at most 3 garments waiting; upload this one again later.'],
}

describe('garments that wait', () => {
  it('are limited for each tenant, even when many are uploaded at once', async () => {
    const tenantId = await newHolder()
    const results = await Promise.allSettled(['a', 'b', 'c', 'd', 'e'].map((uuid) => upload(tenantId, uuid)))
    expect(results.filter(({ status }) => status === 'fulfilled').length).toBe(3)
    await expect(upload(tenantId, 'f')).rejects.toMatchObject(tooMany)
    expect((await db.select().from(garments).where(eq(garments.tenantId, tenantId))).length).toBe(3)
    await upload(await newHolder(), 'a')
  })

  it('do not keep an upload that is stored already from being answered', async () => {
    const tenantId = await newHolder()
    for (const uuid of ['a', 'b', 'c']) await upload(tenantId, uuid)
    expect(await upload(tenantId, 'a', 3)).toBe(null)
  })

  it('make room when one ends, and a failed one cannot be restarted beyond the limit', async () => {
    const scene = await newScene()
    await scene.tag(failsWith(new ImageError('permanent', 'image_empty')))
    for (const uuid of ['a', 'b', 'c']) await upload(scene.tenantId, uuid)
    await expect(upload(scene.tenantId, 'g')).rejects.toMatchObject(tooMany)
    expect(await scene.tag({}, { tenantId: scene.tenantId, uuid: 'a' })).toEqual({ retry: false })
    await upload(scene.tenantId, 'g')
  })

  it('are counted without drift through tries, sweeps, endings, restarts and expiry', async () => {
    const scene = await newScene()
    const { tenantId } = scene
    for (const uuid of ['complete', 'failed', 'expired']) await upload(tenantId, uuid, 1000)
    const tag = async (uuid: string, ...changes: Parameters<typeof scene.tag>) =>
      await scene.tag(changes[0], { tenantId, uuid })
    await tag('complete')
    await tag('complete')
    await tag('failed', failsWith(new ImageError('permanent', 'image_empty')))
    await upload(tenantId, 'failed', 1000)
    await tag('failed', failsWith(new ImageError('passing', 'host_unreachable')))
    await sweepGarments(scene.sweepDeps, startMs + hour)
    const counted = async () => {
      const [row] = await db
        .select({ waiting: count() })
        .from(garments)
        .where(and(eq(garments.tenantId, tenantId), isActive))
      return row?.waiting
    }
    expect([await scene.waiting(), await counted()]).toEqual([3, 3])
    scene.clock.now += 25 * hour
    await tag('expired')
    expect([await scene.waiting(), await counted()]).toEqual([2, 2])
    await db.delete(tenantCounters).where(eq(tenantCounters.tenantId, tenantId))
  })
})
