import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { correctGarment } from '../../../src/garments/corrections/correct-garment.ts'
import type { LinesPatch } from '../../../src/garments/corrections/check-corrections.ts'
import { garments } from '../../../src/platform/db/schema.ts'
import { garmentPayload } from '../../../src/webhooks/deliveries/build-call.ts'
import { decodePicture } from '../../../src/vision/image/decode-picture.ts'
import { sessionOf } from '../../dashboard/session-of.ts'
import { call, databaseOf, newTenant, raw } from '../../service.ts'
import { storedResult } from '../../support/stored-result.ts'
import { deps, insertGarment, machineMeasurements, machineTag } from '../review/complete-garment.ts'
import { expectPublicPicture } from '../public-picture.ts'
import { newScene } from '../../tagging/scene.ts'

const details = {
  shown: 'flat',
  scale: 'estimate',
  notes: [],
  probabilities: {},
  tagger: '1.0',
  view: { size: [1000, 1200], scale: 0.1, lines: { Chest: [100, 400, 620, 400], 'Body Length': [400, 100, 400, 805] } },
}

const path = '/garment-tagging/garment?uuid=g'

async function newGarment(changes = {}) {
  const { tenantId, merchant, auth } = await newTenant()
  await insertGarment(tenantId, 'g', { details, ...changes })
  return {
    tenantId,
    merchant,
    patch: async (body: unknown) => await call('PATCH', path, auth, body),
    query: async () => (await call('GET', '/garment-tagging/query?uuid=g', auth)).body.data,
  }
}

const line = (...[x, y, toX, toY]: [number, number, number, number]) => ({ from: [x, y], to: [toX, toY] })

describe('PATCH of lines', () => {
  it('moves, adds and takes out lines, whose ends are named or a list, and centimetres follow', async () => {
    const { patch, query } = await newGarment()
    expect(await query()).toMatchObject({
      image_size: { width: 1000, height: 1200 },
      lines: { Chest: line(100, 400, 620, 400), 'Body Length': line(400, 100, 400, 805) },
    })
    const lines = {
      Chest: line(100, 400, 600, 400),
      Hem: [
        [120.4, 900],
        [640.4, 900],
      ],
      'Body Length': null,
    }
    const answer = await patch({ lines })
    expect([answer.status, answer.body.data.measurements]).toEqual([200, { 'Chest (cm)': 50, 'Hem (cm)': 52 }])
    expect(answer.body.data).toMatchObject({ corrected: ['Chest (cm)', 'Hem (cm)', 'Body Length (cm)'] })
    expect(answer.body.data.lines).toEqual({ Chest: line(100, 400, 600, 400), Hem: line(120, 900, 640, 900) })
    expect(await query()).toEqual(answer.body.data)
  })

  it('counts the later of a line and a measurement, and null in measurements takes both back', async () => {
    const { patch, query } = await newGarment()
    const before = await query()
    const chest = async (body: unknown) => (await patch(body)).body.data.measurements['Chest (cm)']
    expect(await chest({ lines: { Chest: line(100, 400, 600, 400) } })).toBe(50)
    expect(await chest({ measurements: { 'Chest (cm)': 55 } })).toBe(55)
    expect(await chest({ lines: { Chest: line(100, 400, 610, 400) } })).toBe(51)
    expect((await patch({ measurements: { 'Chest (cm)': null } })).body.data).toEqual(before)
    // Where it was predicted to be, it is no correction either.
    expect((await patch({ lines: { Chest: line(100, 400, 620, 400) } })).body.data).toEqual(before)
  })

  it('gives no place of a typed measurement, but that of a confirmed one', async () => {
    const { patch } = await newGarment()
    const linesAfter = async (cm: number) =>
      Object.keys((await patch({ measurements: { 'Chest (cm)': cm } })).body.data.lines)
    expect(await linesAfter(60)).toEqual(['Body Length'])
    expect(await linesAfter(52)).toEqual(['Chest', 'Body Length'])
  })

  it('keeps a typed length in the list of lines, as one without a line', async () => {
    const { patch, merchant } = await newGarment()
    await patch({ measurements: { 'Chest (cm)': 60 } })
    const page = await raw('GET', '/dashboard/garment?uuid=g', await sessionOf(merchant.id))
    expect(await page.text()).toContain('<output data-length="Chest">60.0 cm, without a line</output>')
  })

  it('keeps the predicted line where a moved one has no length any more', async () => {
    const { patch, query, tenantId } = await newGarment()
    const { measurements, lines } = await query()
    await patch({ lines: { Chest: line(100, 400, 600, 1100) } })
    // Beyond the horizon of its plane.
    const view = { ...details.view, scale: [0.1, 0, 0, 0, 0.1, 0, 0, -0.001] }
    const later = {
      result: storedResult({ tag: machineTag, measurements: machineMeasurements, details: { ...details, view } }),
    }
    await databaseOf(tenantId).update(garments).set(later).where(eq(garments.tenantId, tenantId))
    expect(await query()).toMatchObject({ measurements, lines })
  })

  it('ignores a line that another item type does not have, until the type comes back', async () => {
    const { patch } = await newGarment()
    await patch({ lines: { Chest: line(100, 400, 600, 400) } })
    const trousers = await patch({ tag: { 'Item Type': 'Trousers' } })
    expect([trousers.body.data.measurements, trousers.body.data.lines]).toEqual([{}, {}])
    const back = await patch({ tag: { 'Item Type': null } })
    expect(back.body.data.measurements['Chest (cm)']).toBe(50)
  })

  it.each([
    [{ Chest: line(100, 400, 1000, 400) }, /^lines\.Chest: must lie within the picture, which is 1000 x 1200 pixels$/],
    [{ Chest: line(-1, 400, 600, 400) }, /within the picture/],
    [{ Chest: line(100, 400, 100, 400) }, /^lines\.Chest: must be 0\.5 to 500 cm long$/],
    [{ Inseam: line(100, 400, 600, 400) }, /^lines\.Inseam: must be one of Chest, /],
    [{ Nonsense: null }, /^lines\.Nonsense: must be one of/],
    [{ Chest: { from: [1, 2] } }, /^lines\.Chest: must be \[\[x, y\], \[x, y\]\] or \{from: /],
    [{ Chest: { from: [1, 2, 3], to: [1, 2] } }, /^lines\.Chest: must be \[\[x, y\]/],
    [{ Chest: [[1, 2]] }, /^lines\.Chest: must be \[\[x, y\]/],
    [{ Chest: 52 }, /^lines\.Chest: must be .*, or null$/],
  ])('refuses %j', async (lines, problem) => {
    const { patch, query } = await newGarment()
    const before = await query()
    const answer = await patch({ lines })
    expect([answer.status, answer.body.error]).toEqual([400, [expect.stringMatching(problem)]])
    expect(await query()).toEqual(before)
  })

  it('refuses a line together with its measurement, and lines without a scale or a stored place', async () => {
    const chest = { Chest: line(100, 400, 600, 400) }
    const both = await (await newGarment()).patch({ lines: chest, measurements: { 'Chest (cm)': 50 } })
    expect(both.body.error).toEqual(['lines.Chest: must not be given together with its measurement'])
    const { scale: _, ...view } = details.view
    const unscaled = await (await newGarment({ details: { ...details, view } })).patch({ lines: chest })
    expect(unscaled.body.error).toEqual([expect.stringMatching(/^lines\.Chest: has no length/)])
    const byHand = await newGarment({ result: null })
    const unmeasured = await byHand.patch({ tag: { 'Item Type': 'T-Shirt' }, lines: chest })
    expect(unmeasured.body.error).toEqual([expect.stringMatching(/has no stored places/)])
  })

  it('measures in the plane of the card, and says so of what the tagger did not measure', async () => {
    const view = { size: [1000, 1200], scale: [0.1, 0, 0, 0, 0.1, 0, 0, 0.001], lines: {} }
    const unmeasured = { ...details, shown: 'worn', notes: ['worn'], scale: null, view }
    const { patch, query } = await newGarment({ details: unmeasured, measurements: {} })
    expect(await query()).toMatchObject({ notes: ['The garment is worn by a person, so it is not measured.'] })
    const { body } = await patch({ lines: { Chest: line(0, 1000, 1000 - 1, 1000) } })
    expect(body.data).toMatchObject({
      measurements: { 'Chest (cm)': 50 },
      scale: 'card',
      notes: ['The garment is worn by a person.'],
    })
  })
})

describe('a corrected line', () => {
  async function correctedScene(lines: LinesPatch) {
    const scene = await newScene()
    await scene.tag()
    const correct = async (changes: LinesPatch) =>
      await correctGarment(
        { ...deps, taggingQueue: scene.deps.taggingQueue, webhookQueue: scene.deps.webhookQueue },
        scene.tenantId,
        {
          uuid: 'g',
          patch: { tag: {}, measurements: {}, lines: changes },
          by: { kind: 'member', id: 's', name: 'Ann' },
        },
        scene.clock.now,
      )
    const event = async () =>
      JSON.parse(
        new TextDecoder().decode(
          garmentPayload(await scene.garment(), { event: 'tagging.corrected', atMs: 5 }, undefined).body,
        ),
      ) as Record<string, unknown>
    const pathOf = ({ annotated_img: address }: Record<string, unknown>) => new URL(String(address)).pathname
    const before = await event()
    await correct(lines)
    return { ...scene, correct, event, before, pathOf }
  }

  const chest = (fromX: number, toX: number, y: number) => ({ Chest: { from: [fromX, y], to: [toX, y] } }) as const

  /** Whether a picture has cyan ink at a height. */
  async function hasLineAt(path: string, y: number): Promise<boolean> {
    const { picture } = await decodePicture(await expectPublicPicture(path), 1280)
    const [red = 0, , blue = 0] = picture.data.subarray((y * picture.width + 22) * 4)
    return blue - red > 80
  }

  it('is sent as any correction, and drawn from the copy at a new address, without the source or a run', async () => {
    const { event, before, pathOf, garment, enqueued } = await correctedScene(chest(20, 80, 60))
    const corrected = await event()
    expect(corrected).toMatchObject({
      event: 'tagging.corrected',
      measurements: { 'Chest (cm)': 60 },
      lines: chest(20, 80, 60),
      corrected: ['Chest (cm)'],
    })
    expect([enqueued(), (await garment()).dueAt]).toEqual([[], null])
    expect(pathOf(corrected)).not.toBe(pathOf(before))
    expect(pathOf(corrected)).toMatch(/\.[0-9a-f]{8}$/)
    expect([await hasLineAt(pathOf(corrected), 60), await hasLineAt(pathOf(corrected), 30)]).toEqual([true, false])
    // Pages and clients that have read the former address still get what it showed.
    expect(await hasLineAt(pathOf(before), 60)).toBe(false)
    const { images } = corrected as { images: { annotated_img: string }[] }
    expect(images[0]?.annotated_img).toBe(corrected['annotated_img'])
  })

  it('is drawn as it was last moved, and the address with former lines is not found', async () => {
    const { correct, event, pathOf, before } = await correctedScene(chest(20, 80, 60))
    const former = pathOf(await event())
    await correct(chest(20, 80, 50))
    expect((await raw('GET', former)).status).toBe(404)
    expect(await hasLineAt(pathOf(await event()), 50)).toBe(true)
    await correct({ Chest: null })
    const without = pathOf(await event())
    expect([await hasLineAt(without, 50), await hasLineAt(without, 30)]).toEqual([false, false])
    await correct({ Chest: { from: [20, 30], to: [70, 30] } })
    expect(await event()).toEqual(before)
  })
})
