import { beforeAll, describe, expect, it } from 'vitest'
import { tenantState } from '../../src/platform/db/schema.ts'
import { garmentResultSchema } from '../../src/garments/fields.ts'
import { toGarmentResponse } from '../../src/garments/garment.ts'
import { putPermission } from '../../src/accounts/second-opinion.ts'
import { createIsolateBudget, isolateLimits } from '../../src/platform/limits/isolate-budget.ts'
import { encodeJpeg } from '../../src/vision/image/encode-jpeg.ts'
import { tagPicture } from '../../src/vision/tag-picture.ts'
import { makeFlatLay } from '../../training/flat-lay/make-flat-lay.ts'
import { someone } from '../service.ts'
import { answerTo, newSecondOpinion, request, standIn } from './stand-in.ts'
import { db, newScene, tagged } from './scene.ts'

const picture = encodeJpeg(makeFlatLay(3, { itemType: 'T-Shirt', colour: 'Navy', pattern: 'Plain' }).picture, 88)
const fetchImage = async () => picture.slice()

describe('a run that asks for a second opinion', () => {
  let alone: Awaited<ReturnType<Awaited<ReturnType<typeof newScene>>['garment']>>

  beforeAll(async () => {
    const scene = await newScene()
    await scene.tag({ fetchImage, tagPicture })
    alone = await scene.garment()
  })

  it('stores what both said, and the answer tells it', async () => {
    const scene = await newScene('https://a.example/', { Category: 'Shoes' })
    const { binding } = standIn(async (input) => answerTo(input, { item_type: 'T-Shirt', shown: 'flat' }))
    const { secondOpinion } = newSecondOpinion(binding)
    expect(await scene.tag({ fetchImage, tagPicture, secondOpinion })).toEqual({ retry: false })
    const { second_opinion: answered, tag } = garmentResultSchema.parse(
      toGarmentResponse(await scene.garment(), undefined),
    )
    expect(tag?.['Item Type']).toBe('T-Shirt')
    expect(answered).toMatchObject({ model: '@cf/cloudflare/clef-flash', contradicts: ['Category'] })
    expect(answered?.attributes['Item Type']).toMatchObject({
      spoke: 'both',
      opinion: { 'T-Shirt': expect.closeTo(0.9, 2) },
    })
    expect(answered?.attributes['shown']).toMatchObject({ spoke: 'both', opinion: { flat: expect.closeTo(0.9, 2) } })
    expect(answered?.attributes).not.toHaveProperty('Colour')
  })

  it.each([
    ['throws', () => Promise.reject(new Error('3040: No more data centers to forward the request to'))],
    ['hangs', () => new Promise<never>(() => {})],
    ['answers nonsense', () => Promise.resolve({ answers: 5 })],
  ])('has the result of the network where the model %s', async (_, run) => {
    const asking = await newScene()
    const { secondOpinion } = newSecondOpinion(standIn(run).binding, { SECOND_OPINION_TIMEOUT_MS: 50 })
    await asking.tag({ fetchImage, tagPicture, secondOpinion })
    expect(alone.status).toBe('complete')
    expect(await asking.garment()).toMatchObject({
      status: 'complete',
      tries: 1,
      result: alone.result,
    })
  })

  it('lets others decode while it waits, and frees its memory first', async () => {
    const budget = createIsolateBudget(isolateLimits)
    const scene = await newScene()
    let couldDecode: boolean | undefined
    const { binding } = standIn(async (input) => {
      const other = budget.enter('another tenant', scene.clock.now)
      couldDecode = other.reserve(20 * 1024 * 1024) && other.takeSlot(scene.clock.now)
      other.leave()
      return answerTo(input)
    })
    await scene.tag({ fetchImage, tagPicture, budget, secondOpinion: newSecondOpinion(binding).secondOpinion })
    expect(couldDecode).toBe(true)
  })

  it('does not ask for a tenant that forbids it, and asks again once it allows it', async () => {
    const scene = await newScene()
    const { binding, inputs } = standIn(async (input) => answerTo(input))
    const { secondOpinion } = newSecondOpinion(binding)
    await db.insert(tenantState).values({ tenantId: scene.tenantId, createdAt: 0 }).onConflictDoNothing()
    for (const allows of [false, true]) {
      await putPermission(db, scene.tenantId, allows, { by: someone, at: scene.clock.now })
      const uuid = `allowed ${allows}`
      await scene.upload('https://a.example/', uuid)
      await scene.tag({ fetchImage, tagPicture, secondOpinion }, { tenantId: scene.tenantId, uuid })
      expect(inputs.length).toBe(allows ? 1 : 0)
    }
  })

  it('loses and fails no garment, whatever the model does', async () => {
    const scene = await newScene()
    const moods = [
      async () => await new Promise<never>(() => {}),
      async () => 'nonsense',
      async () => ({ answers: { item_type: { type: 'choice', probabilities: { Jumper: 7 } } } }),
      ...['3040: busy', '3036: quota', '5018: licence', '5004: data', 'lost'].map((message) => () => {
        throw new Error(message)
      }),
    ]
    const uuids = moods.map((_, index) => `mood ${index}`)
    for (const [index, uuid] of uuids.entries()) {
      await scene.upload('https://a.example/', uuid)
      const { secondOpinion } = newSecondOpinion(standIn(async () => await moods[index]?.()).binding, {
        SECOND_OPINION_TIMEOUT_MS: 50,
      })
      const asking: typeof tagPicture = async (_bytes, { consultation }) => {
        expect(await consultation?.ask(request)).toBe(undefined)
        return tagged
      }
      const message = { tenantId: scene.tenantId, uuid }
      expect(await scene.tag({ tagPicture: asking, secondOpinion }, message)).toEqual({ retry: false })
    }
    expect(await scene.counts()).toEqual({ complete: moods.length })
  })
})

describe('the memory of an isolate', () => {
  const limits = { ...isolateLimits, maxBytes: 100 }

  it('holds a waiting run only where there is room, and the slot stays with one that finds none', () => {
    const budget = createIsolateBudget(limits)
    const [first, second, third] = [budget.enter('a', 0), budget.enter('b', 0), budget.enter('c', 0)]
    first.reserve(60)
    expect([first.takeSlot(0), second.takeSlot(0)]).toEqual([true, false])
    expect([first.hold(70), second.takeSlot(1)]).toEqual([true, true])
    expect([second.hold(40), third.takeSlot(2)]).toEqual([false, false])
    first.leave()
    expect([second.hold(40), third.takeSlot(3)]).toEqual([true, true])
  })
})
