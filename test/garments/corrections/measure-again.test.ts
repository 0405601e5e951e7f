import { describe, expect, it } from 'vitest'
import { correctGarment } from '../../../src/garments/corrections/correct-garment.ts'
import { toGarmentResponse } from '../../../src/garments/garment.ts'
import { ImageError } from '../../../src/platform/outbound/fetch-image.ts'
import type { PictureHints } from '../../../src/vision/tag-picture.ts'
import { deps } from '../review/complete-garment.ts'
import { failsWith, newScene, tagged } from '../../tagging/scene.ts'

/** As the tagger answers for a T-shirt that a person calls shorts. */
const asShorts = {
  ...tagged,
  tag: { ...tagged.tag, Fit: 'Slim', 'Fit Alternatives': [], 'Fit Confidence': 'Low' },
  measurements: { 'Waist (cm)': 40, 'Inseam (cm)': 20 },
  details: { ...tagged.details, measuredAs: 'Shorts' as const },
}

async function newShorts() {
  const scene = await newScene()
  await scene.tag()
  const correct = async (tag: Record<string, string | null>, measurements: Record<string, number> = {}) =>
    await correctGarment(
      { ...deps, taggingQueue: scene.deps.taggingQueue, webhookQueue: scene.deps.webhookQueue },
      scene.tenantId,
      { uuid: 'g', patch: { tag, measurements }, by: { kind: 'member', id: 's', name: 'Ann' } },
      scene.clock.now,
    )
  const result = async () => toGarmentResponse({ ...(await scene.garment()), failure: null }, undefined)
  return { ...scene, correct, result }
}

describe('another item type', () => {
  it('has the picture measured and drawn again for it, and values of the former type do not come back', async () => {
    const scene = await newShorts()
    await scene.correct({}, { 'Chest (cm)': 51 })
    const before = await scene.garment()
    await scene.correct({ 'Item Type': 'Shorts' })
    const [message] = scene.enqueued()
    expect(message).toMatchObject({ uuid: 'g', revision: before.revision })
    const hints: PictureHints[] = []
    await scene.tag({ tagPicture: async (_, given) => (hints.push(given), asShorts) }, message)
    expect(hints).toMatchObject([{ itemType: 'Shorts' }])
    expect(await scene.result()).toMatchObject({
      tag: { 'Item Type': 'Shorts', 'Item Type Confidence': 'High', Fit: 'Slim', 'Fit Confidence': 'Low' },
      corrected: ['Item Type'],
    })
    expect((await scene.result()).measurements).toEqual(asShorts.measurements)
    const after = await scene.garment()
    expect([after.dueAt, after.revision === before.revision]).toEqual([null, false])
  })

  it('is measured as predicted when the correction is taken back', async () => {
    const scene = await newShorts()
    await scene.correct({ 'Item Type': 'Shorts' })
    await scene.tag({ tagPicture: async () => asShorts })
    await scene.correct({ 'Item Type': null })
    // Until then, what is not of a T-shirt is left out.
    expect((await scene.result()).measurements).toEqual({})
    const hints: PictureHints[] = []
    await scene.tag({ tagPicture: async (_, given) => (hints.push(given), tagged) })
    expect(hints.map(({ itemType }) => itemType)).toEqual([undefined])
    expect((await scene.result()).measurements).toEqual(tagged.measurements)
  })

  it('wins over a run that has read the former one, whether it has claimed the garment or not', async () => {
    for (const late of ['fetchImage', 'tagPicture'] as const) {
      const scene = await newShorts()
      await scene.correct({ 'Item Type': 'Skirt' })
      const change = async () => await scene.correct({ 'Item Type': 'Shorts' })
      await scene.tag(
        late === 'fetchImage'
          ? { fetchImage: async () => (await change(), new Uint8Array(1)) }
          : { tagPicture: async () => (await change(), { ...tagged, measurements: { 'Hip (cm)': 1 } }) },
      )
      const row = await scene.garment()
      expect([row.measurements, row.dueAt === null]).toEqual([tagged.measurements, false])
      await scene.tag({ tagPicture: async () => asShorts }, scene.enqueued().at(-1))
      expect(await scene.garment()).toMatchObject({ dueAt: null, measurements: asShorts.measurements })
    }
  })

  it('is not measured again for another value, or for a confirmation', async () => {
    const scene = await newShorts()
    await scene.correct({ Colour: 'Black', 'Item Type': 'T-Shirt' })
    expect([scene.enqueued(), (await scene.garment()).dueAt]).toEqual([[], null])
  })

  it('stays if the picture is gone, without measurements of the former type', async () => {
    const scene = await newShorts()
    await scene.correct({ 'Item Type': 'Shorts' })
    await scene.tag(failsWith(new ImageError('permanent', 'image_empty')))
    expect(await scene.garment()).toMatchObject({ status: 'complete', dueAt: null })
    expect(await scene.result()).toMatchObject({ tag: { 'Item Type': 'Shorts' }, measurements: {} })
  })
})
