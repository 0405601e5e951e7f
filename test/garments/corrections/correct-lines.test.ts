import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { correctGarment } from '../../../src/garments/corrections/correct-garment.ts'
import type { LinesPatch } from '../../../src/garments/corrections/check-corrections.ts'
import { garments } from '../../../src/platform/db/schema.ts'
import { toGarmentResponse } from '../../../src/garments/garment.ts'
import { garmentPayload } from '../../../src/webhooks/deliveries/build-call.ts'
import type { PictureHints } from '../../../src/vision/tag-picture.ts'
import { sessionOf } from '../../dashboard/session-of.ts'
import { call, databaseOf, newTenant, raw } from '../../service.ts'
import { storedResult } from '../../support/stored-result.ts'
import { deps, insertGarment, machineMeasurements, machineTag } from '../review/complete-garment.ts'
import { newScene, tagged } from '../../tagging/scene.ts'

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
    const patch = { tag: {}, measurements: {}, lines }
    const correct = async (changes: LinesPatch = lines) =>
      await correctGarment(
        { ...deps, taggingQueue: scene.deps.taggingQueue, webhookQueue: scene.deps.webhookQueue },
        scene.tenantId,
        { uuid: 'g', patch: { ...patch, lines: changes }, by: { kind: 'member', id: 's', name: 'Ann' } },
        scene.clock.now,
      )
    await correct()
    return { ...scene, correct }
  }

  it('is sent as any correction, has the picture drawn again, and is told again with the new picture', async () => {
    const scene = await correctedScene({ Chest: { from: [20, 30], to: [80, 30] } })
    const before = await scene.garment()
    const event = (row: typeof before) =>
      JSON.parse(
        new TextDecoder().decode(garmentPayload(row, { event: 'tagging.corrected', atMs: 5 }, undefined).body),
      ) as Record<string, unknown>
    expect(event(before)).toMatchObject({
      event: 'tagging.corrected',
      measurements: { 'Chest (cm)': 60 },
      lines: { Chest: { from: [20, 30], to: [80, 30] } },
      corrected: ['Chest (cm)'],
    })
    const hints: PictureHints[] = []
    await scene.tag({ tagPicture: async (_, given) => (hints.push(given), tagged) }, scene.enqueued()[0])
    expect(hints).toMatchObject([{ lines: { Chest: [20, 30, 80, 30] } }])
    const after = await scene.garment()
    expect([after.dueAt, after.measurements]).toEqual([null, tagged.measurements])
    expect(event(after)['measurements']).toEqual({ 'Chest (cm)': 60 })
    expect(event(after)['annotated_img']).not.toBe(event(before)['annotated_img'])
  })

  it('wins over a run that has read the former one', async () => {
    const scene = await correctedScene({ Chest: { from: [20, 30], to: [80, 30] } })
    const before = await scene.garment()
    const change = async () => await scene.correct({ Chest: null })
    await scene.tag({ fetchImage: async () => (await change(), new Uint8Array(1)) })
    const late = await scene.garment()
    expect([late.pictureId, late.dueAt === null]).toEqual([before.pictureId, false])
    const hints: PictureHints[] = []
    await scene.tag({ tagPicture: async (_, given) => (hints.push(given), tagged) }, scene.enqueued().at(-1))
    expect(hints).toMatchObject([{ lines: { Chest: null } }])
    expect(toGarmentResponse({ ...(await scene.garment()), failureReason: '' }, undefined).measurements).toEqual({})
  })
})
