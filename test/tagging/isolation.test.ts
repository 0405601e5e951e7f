import { pictureAt } from '../../src/garments/pictures/garment-picture.ts'
import { runInDurableObject } from 'cloudflare:test'
import { and, count, eq } from 'drizzle-orm'
import { describe, expect, inject, it, vi } from 'vitest'
import { garments } from '../../src/platform/db/schema.ts'
import { isActive, type TaggingMessage } from '../../src/garments/turns.ts'
import { uploadGarment } from '../../src/garments/upload-garment.ts'
import { createIsolateBudget, isolateLimits } from '../../src/platform/limits/isolate-budget.ts'
import { encodeJpeg } from '../../src/vision/image/encode-jpeg.ts'
import { makeFlatLay } from '../../training/flat-lay/make-flat-lay.ts'
import { bindings, tagInBackground, uploadLimits } from '../service.ts'
import { db, newHolder, newScene } from './scene.ts'

const host = inject('httpHost')

async function upload(tenantId: string, uuid: string, imageUrl: string): Promise<TaggingMessage> {
  const content = { uuid, pictures: [pictureAt(imageUrl)], attribute: {}, origin: 'https://s.example' }
  const stored = await uploadGarment(db, tenantId, content, { ...uploadLimits, nowMs: Date.now() })
  return { tenantId, uuid, revision: stored?.revision ?? '' }
}

async function waitingOf(tenantId: string): Promise<number> {
  const [row] = await db
    .select({ waiting: count() })
    .from(garments)
    .where(and(eq(garments.tenantId, tenantId), isActive))
  return row?.waiting ?? 0
}

describe('a tenant that floods the queue, slow image hosts among it', () => {
  it('leaves another tenant its turn: its garment is complete while nearly all of the flood waits', async () => {
    const [flood, other] = [await newHolder(), await newHolder()]
    const url = `${host}/files/isolation-${other}`
    const picture = encodeJpeg(makeFlatLay(3, { itemType: 'T-Shirt', width: 300, height: 400 }).picture, 88)
    await fetch(url, { method: 'PUT', body: picture })
    const urlOf = (i: number) => (i % 2 === 0 ? url : `${host}/to/flood-${flood}?silent`)
    const flooding = await Promise.all(Array.from({ length: 100 }, (_, i) => upload(flood, `g${i}`, urlOf(i))))
    tagInBackground()
    await bindings.TAGGING_QUEUE.sendBatch(flooding.map((body) => ({ body })))
    await bindings.TAGGING_QUEUE.send(await upload(other, 'g', url))
    await vi.waitFor(async () => expect(await waitingOf(other)).toBe(0), { timeout: 300_000, interval: 20 })
    const [row] = await db.select().from(garments).where(eq(garments.tenantId, other))
    expect(row?.status).toBe('complete')
    expect(await waitingOf(flood)).toBeGreaterThan(80)
    // What is left of the flood finds its garments gone.
    await db.delete(garments).where(eq(garments.tenantId, flood))
  })
})

describe('an invocation that is cut off while it holds the slot and its memory', () => {
  it('blocks no other: the next run waits until both expire', async () => {
    const [cut, next] = [await newScene(), await newScene()]
    const budget = createIsolateBudget(isolateLimits)
    let holdsSlot = () => {}
    const held = new Promise<void>((resolve) => (holdsSlot = resolve))
    const stub = bindings.SWEEPER.getByName(crypto.randomUUID())
    const aborted = runInDurableObject(stub, async (_, state) => {
      const never = cut.tag({ budget, tagPicture: () => (holdsSlot(), new Promise(() => {})) })
      await Promise.race([never, held])
      state.abort('cut off')
    })
    await expect(aborted).rejects.toThrow('cut off')
    const startedAt = next.clock.now
    expect(await next.tag({ budget })).toEqual({ retry: false })
    expect((await next.garment()).status).toBe('complete')
    expect(next.clock.now - startedAt).toBeGreaterThan(0)
    expect(next.clock.now - startedAt).toBeLessThanOrEqual(isolateLimits.maxSlotMs + 20)
  })

  it('while it waits for a picture or the slot costs its garment no try', async () => {
    const scene = await newScene()
    let waits = () => {}
    const waiting = new Promise<void>((resolve) => (waits = resolve))
    const stub = bindings.SWEEPER.getByName(crypto.randomUUID())
    const aborted = runInDurableObject(stub, async (_, state) => {
      const never = scene.tag({ fetchImage: () => (waits(), new Promise(() => {})) })
      await Promise.race([never, waiting])
      state.abort('cut off')
    })
    await expect(aborted).rejects.toThrow('cut off')
    expect(await scene.garment()).toMatchObject({ status: 'queuing', tries: 0, claimId: null })
  })
})
