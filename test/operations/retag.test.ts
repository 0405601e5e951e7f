import { copyKey } from '../../src/garments/pictures/stored-copy.ts'
import { fileOf } from '../support/stored-garment/stored-pictures.ts'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { garments, retags } from '../../src/platform/db/schema.ts'
import { toGarmentResponse } from '../../src/garments/garment.ts'
import { removeUnusedCopies } from '../../src/garments/pictures/unused-copies.ts'
import { fileKey, removeUnreferencedFiles } from '../../src/garments/pictures/uploaded-file.ts'
import { continueRetags, startRetag } from '../../src/operations/retag.ts'
import { claimGarment, leaseMs } from '../../src/garments/review/review.ts'
import { correctGarment } from '../../src/garments/corrections/correct-garment.ts'
import { correctionDeps } from '../../src/garments/corrections/store-correction.ts'
import { formatCopy } from '../../src/vision/annotate/clean-copy.ts'
import { PictureError } from '../../src/vision/picture-error.ts'
import { bindings } from '../service.ts'
import { drawing, pictureCopy, storedCopy } from '../support/picture-copy.ts'
import { replaceMethods } from '../support/wrap-database.ts'
import { db, hour, newScene, startMs, tagged } from '../tagging/scene.ts'
import { insertTenant } from '../support/insert-tenant.ts'
import { insertGarments } from '../support/stored-garment/insert-garments.ts'

const uploadedFile = (id: string) => ({ url: null, file: fileOf(id, 'a shirt.jpg'), kind: null })

/** A tenant whose garment is complete, a year before it is tagged again. `file` was uploaded as its picture. */
async function newTaggedScene(file?: { readonly id: string; readonly bytes: Uint8Array }) {
  const scene = await newScene(file && uploadedFile(file.id))
  const { tenantId: id } = scene
  if (file !== undefined) await bindings.PICTURES.put(fileKey(id, file.id), file.bytes)
  await insertTenant(db, id)
  await scene.enableWebhook()
  await scene.tag()
  await db.update(garments).set({ corrections: '{"tag":{},"measurements":{}}' }).where(eq(garments.tenantId, id))
  scene.clock.now += 365 * 24 * hour
  const retag = async (fromMs = startMs, toMs = startMs + 1) => {
    await startRetag(bindings, { fromMs, toMs, tenant: id })
    await continueRetags(scene.sweepDeps, scene.clock.now)
  }
  const deps = { ...correctionDeps({ env: bindings, db }), webhookQueue: scene.deps.webhookQueue }
  const by = { kind: 'member', id: 's', name: 'Ann' } as const
  return {
    ...scene,
    retag,
    correct: async (tag: Record<string, string>) =>
      await correctGarment(deps, id, { uuid: 'g', patch: { tag, measurements: {} }, by }, scene.clock.now),
    copyId: async () => (await scene.garment()).pictureList[0]?.copyId,
    picture: async (pictureId: string | undefined) =>
      await (await bindings.PICTURES.get(copyKey(scene.tenantId, pictureId ?? '')))?.bytes(),
    /** As a sweep does, so long after now. */
    removeUnused: async (laterMs: number) =>
      await removeUnusedCopies({ db, pictures: bindings.PICTURES }, scene.clock.now + laterMs, 1000),
  }
}

const better = {
  ...tagged,
  tag: { ...tagged.tag, Parts: 'better' },
  copy: { ...pictureCopy, drawing: { ...drawing, colour: 'Green' } },
}

describe('a garment that is tagged again', () => {
  it('stays complete with its result until that is replaced, keeps its corrections, and sends no webhook', async () => {
    const scene = await newTaggedScene()
    const before = await scene.garment()
    await scene.retag()
    expect(scene.enqueued()).toEqual([{ ...scene.message }])
    expect(await scene.garment()).toEqual({ ...before, tries: 0, dueAt: expect.any(Number) })
    let during
    await scene.tag({ tagPicture: async () => ((during = await scene.garment()), better) })
    expect(during).toMatchObject({ status: 'complete', result: before.result })
    const after = await scene.garment()
    expect(after.tag['Parts']).toBe('better')
    const { result, tag } = after
    expect(after).toEqual({
      ...before,
      result,
      tag,
      revision: expect.any(String),
      pictures: expect.any(String),
      pictureList: expect.any(Array),
    })
    expect([scene.sent.webhook.length, await scene.counts(), await scene.waiting()]).toEqual([1, { complete: 1 }, 0])
  })

  it('keeps what people said, and is reviewed again where the new result is in doubt', async () => {
    const scene = await newTaggedScene()
    const { tenantId } = scene
    const result = (Colour: string, ofPattern: number) => ({
      ...tagged,
      tag: { 'Item Type': 'T-Shirt', Colour, Pattern: 'Plain' },
      details: { ...tagged.details, probabilities: { 'Item Type': [0.9], Colour: [0.1], Pattern: [ofPattern] } },
    })
    await scene.retag()
    await scene.tag({ tagPicture: async () => result('Navy', 0.9) })
    expect(await claimGarment(db, tenantId, 's', 0)).toBe('g')
    await scene.correct({ Colour: 'Black' })
    expect(await claimGarment(db, tenantId, 's', leaseMs)).toBe(null)
    await scene.retag()
    await scene.tag({ tagPicture: async () => result('Blue', 0.1) })
    expect(toGarmentResponse(await scene.garment(), undefined)).toMatchObject({
      tag: { Colour: 'Black', 'Colour Confidence': 'High', Pattern: 'Plain', 'Pattern Confidence': 'Low' },
      corrected: ['Colour'],
    })
    expect(await claimGarment(db, tenantId, 's', leaseMs)).toBe('g')
  })

  it('is read again from the file that was uploaded, and keeps it and its corrections', async () => {
    const id = crypto.randomUUID()
    const bytes = new Uint8Array([0xff, 0xd8, 0xff, 7])
    const scene = await newTaggedScene({ id, bytes })
    const { tenantId } = scene
    await scene.correct({ 'Item Type': 'Shirt' })
    await scene.retag()
    let read
    const tag = { 'Item Type': 'T-Shirt', Colour: 'Green' }
    await scene.tag({ tagPicture: async (picture) => ((read = picture.slice()), { ...better, tag }) })
    expect(read).toEqual(bytes)
    const garment = await scene.garment()
    expect(toGarmentResponse(garment, undefined)).toMatchObject({
      status: 'complete',
      tag: { 'Item Type': 'Shirt', Colour: 'Green' },
      corrected: ['Item Type'],
    })
    await scene.removeUnused(25 * hour)
    await removeUnreferencedFiles({ db, pictures: bindings.PICTURES }, scene.clock.now + 25 * hour)
    expect(await (await bindings.PICTURES.get(fileKey(tenantId, id)))?.bytes()).toEqual(bytes)
    expect(await scene.picture(garment.pictureList[0]?.copyId)).toEqual(
      formatCopy(better.copy.jpeg, { uuid: 'g', file: id, drawing: better.copy.drawing }),
    )
  })

  it('has its new picture at a new address, and the former one for a day more', async () => {
    const scene = await newTaggedScene()
    const former = await scene.copyId()
    await scene.retag()
    await scene.tag({ tagPicture: async () => better })
    const pictureId = await scene.copyId()
    expect(pictureId).not.toBe(former)
    const first = storedCopy()
    expect([await scene.picture(former), await scene.picture(pictureId)]).toEqual([
      first,
      formatCopy(better.copy.jpeg, { uuid: 'g', file: '', drawing: better.copy.drawing }),
    ])
    await scene.removeUnused(24 * hour - 1)
    expect(await scene.picture(former)).toEqual(first)
    await scene.removeUnused(24 * hour)
    expect([await scene.picture(former), await scene.picture(pictureId)]).toEqual([
      undefined,
      formatCopy(better.copy.jpeg, { uuid: 'g', file: '', drawing: better.copy.drawing }),
    ])
  })

  it('leaves no picture behind when the run cannot store its result', async () => {
    const scene = await newTaggedScene()
    const pictureId = await scene.copyId()
    await scene.retag()
    const stored: string[] = []
    const pictures = replaceMethods(bindings.PICTURES, {
      async put(key: string, value: Uint8Array) {
        stored.push(key)
        await bindings.PICTURES.put(key, value)
        throw new Error('Network connection lost.')
      },
    })
    await expect(scene.tag({ pictures })).rejects.toThrow('Network connection lost.')
    expect(await bindings.PICTURES.head(stored[0] ?? '')).not.toBe(null)
    await scene.removeUnused(25 * hour)
    expect(await bindings.PICTURES.head(stored[0] ?? '')).toBe(null)
    expect(await scene.picture(pictureId)).toEqual(storedCopy())
  })

  it('keeps its result when it cannot be tagged any more, at once or after all tries', async () => {
    const faults = [new PictureError('no_garment'), new Error('a fault of ours')]
    for (const fault of faults) {
      const scene = await newTaggedScene()
      const { tries: _, ...before } = await scene.garment()
      await scene.retag()
      for (let i = 0; i < 5; i++) await scene.tag({ tagPicture: () => Promise.reject(fault) })
      expect(await scene.garment()).toMatchObject(before)
    }
  })
})

describe('a range of garments that is tagged again', () => {
  it('includes its start time and excludes its end time', async () => {
    const scene = await newTaggedScene()
    await scene.retag(startMs + 1, startMs + 2)
    await scene.retag(startMs - 1, startMs)
    expect(scene.enqueued()).toEqual([])
    await scene.retag(startMs, startMs + 1)
    expect(scene.enqueued().length).toBe(1)
  })

  it('is tagged in steps, each garment once, and then ends', async () => {
    const scene = await newTaggedScene()
    await insertGarments(db, 250, (i) => ({
      tenantId: scene.tenantId,
      status: i % 50 === 0 ? 'failed' : 'complete',
      createdAt: startMs + Math.floor(i / 3),
    }))
    await scene.retag(startMs, startMs + hour)
    expect(scene.enqueued().length).toBe(100)
    for (let i = 0; i < 3; i++) await continueRetags(scene.sweepDeps, scene.clock.now)
    const uuids = scene.enqueued().map(({ uuid }) => uuid)
    expect([uuids.length, new Set(uuids).size]).toEqual([246, 246])
    expect(await db.select().from(retags).where(eq(retags.tenantId, scene.tenantId))).toEqual([])
  })
})
