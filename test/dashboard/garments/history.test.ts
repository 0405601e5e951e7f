import { eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { garments } from '../../../src/platform/db/schema.ts'
import { insertGarment, machineMeasurements, machineTag } from '../../garments/review/complete-garment.ts'
import { call, databaseOf, newMember, newTenant, raw } from '../../service.ts'
import { storedResult } from '../../support/stored-result.ts'
import { sessionOf } from '../session-of.ts'

const origin = { Origin: 'http://service.test' }

async function newGarment() {
  const shop = await newTenant()
  const { tenantId, merchant, auth } = shop
  await insertGarment(tenantId, 'g')
  const session = await sessionOf(merchant.id)
  const post = async (path: string, fields: Record<string, string>, who = session) =>
    await raw('POST', `${path}?uuid=g`, { ...origin, ...who }, new URLSearchParams(fields))
  /** Returns the history as the page shows it. */
  const history = async () => {
    const html = await (await raw('GET', '/dashboard/garment?uuid=g', session)).text()
    const section = /<details class="section" id="history".*?<\/table>/s.exec(html)?.[0] ?? ''
    const rows = section.matchAll(/data-label="Who">([^<]*)<.*?<th scope="row">([^<]*)</gs)
    return [...rows].map(([, who, what]) => [who, what])
  }
  const result = async () => (await call('GET', '/garment-tagging/query?uuid=g', auth)).body.data
  return { ...shop, post, history, result }
}

it("a garment's history says who corrected or confirmed what; a key has no name", async () => {
  const garment = await newGarment()
  const { merchant, auth, post, history } = garment
  expect(await history()).toEqual([])
  const bob = await newMember(merchant.id, 'reviewer')
  await post('/dashboard/garment', { 'tag.Colour': 'Black' })
  await post(
    '/dashboard/garment',
    { 'tag.Colour': 'Black', 'measurements.Chest (cm)': '53' },
    await sessionOf(merchant.id, Date.now(), bob.id),
  )
  await call('PATCH', '/garment-tagging/garment?uuid=g', auth, { tag: { Brand: 'Acme' } })
  const named = await history()
  expect(named).toContainEqual(['Ann', 'Colour: Navy → Black'])
  expect(named).toContainEqual([bob.name, expect.stringMatching(/^Chest \(cm\): [\d.]+ → 53$/)])
  expect(named).toContainEqual(['An API key', expect.stringMatching(/^Brand: /)])
})

it("undoing a correction in a garment's history restores the predicted value, and leaves other corrections", async () => {
  const { post, history, result } = await newGarment()
  await post('/dashboard/garment', { 'tag.Colour': 'Black', 'measurements.Chest (cm)': '53' })
  const undone = await post('/dashboard/correct/undo', { part: 'tag', name: 'Colour' })
  expect([undone.status, undone.headers.get('location')]).toEqual([
    303,
    '/dashboard/garment?uuid=g&done=undone#history',
  ])
  expect(await result()).toMatchObject({ tag: { Colour: 'Navy' }, measurements: { 'Chest (cm)': 53 } })
  expect((await history()).length).toBe(1)
  await post('/dashboard/correct/undo', { part: 'measurements', name: 'Chest (cm)' })
  expect([await history(), (await result()).corrected ?? []]).toEqual([[], []])
  expect((await post('/dashboard/correct/undo', { part: 'other', name: 'Colour' })).status).toBe(400)
  expect((await post('/dashboard/correct/undo', { part: 'tag', name: 'Nothing' })).status).toBe(400)
})

it("a garment's history lists corrected and removed lines, and restores each", async () => {
  const { tenantId, auth, post, history, result } = await newGarment()
  const view = { size: [1000, 1200], scale: 0.1, lines: { Chest: [100, 400, 620, 400], Hem: [100, 900, 600, 900] } }
  const details = { shown: 'flat', scale: 'estimate', notes: [], probabilities: {}, tagger: '1.0', view }
  await databaseOf(tenantId)
    .update(garments)
    .set({ result: storedResult({ tag: machineTag, measurements: machineMeasurements, details }) })
    .where(eq(garments.tenantId, tenantId))
  const predicted = (await result()).lines
  const lines = {
    Chest: { from: [100, 400], to: [600, 400] },
    Hem: null,
    'Body Length': { from: [5, 5], to: [5, 700] },
  }
  expect((await call('PATCH', '/garment-tagging/garment?uuid=g', auth, { lines })).status).toBe(200)
  expect(new Set(await history())).toEqual(
    new Set([
      ['An API key', 'Line Chest: corrected'],
      ['An API key', 'Line Hem: removed'],
      ['An API key', 'Line Body Length: corrected'],
    ]),
  )
  for (const name of Object.keys(lines))
    expect((await post('/dashboard/correct/undo', { part: 'lines', name })).status).toBe(303)
  expect(await history()).toEqual([])
  expect((await result()).lines).toEqual(predicted)
})

it("a garment's history says who changed which attribute from what, and undoes the latest change of each", async () => {
  const { merchant, auth, post, history, result } = await newGarment()
  const path = '/garment-tagging/garment?uuid=g'
  const bob = await newMember(merchant.id, 'editor')
  await call('PATCH', path, auth, { attribute: { Price: '5', Brand: 'Ann' } })
  const ofBob = await sessionOf(merchant.id, Date.now(), bob.id)
  await post('/dashboard/edit', { 'attribute.Price': '6', 'select.g': 'yes' }, ofBob)
  expect(await history()).toEqual([
    [bob.name, 'Price: 5.00 → 6.00'],
    ['An API key', 'Price: 5.00, added'],
    ['An API key', 'Brand: Ann, added'],
  ])
  const forms = async () => {
    const html = await (await raw('GET', '/dashboard/garment?uuid=g', await sessionOf(merchant.id))).text()
    const fields = /name="name" value="(\w+)"\/?><input type="hidden" name="at" value="(\d+)"/g
    return [...html.matchAll(fields)].map(([, name = '', at = '']) => ({ name, at }))
  }
  const [price, brand] = await forms()
  const reviewer = await newMember(merchant.id, 'reviewer')
  const ofReviewer = await sessionOf(merchant.id, Date.now(), reviewer.id)
  expect((await post('/dashboard/edit/undo', price ?? {}, ofReviewer)).status).toBe(403)
  expect((await forms()).length).toBe(2)
  const undone = await post('/dashboard/edit/undo', price ?? {})
  expect([undone.status, undone.headers.get('location')]).toEqual([
    303,
    '/dashboard/garment?uuid=g&done=undone#history',
  ])
  expect((await history()).slice(0, 2)).toEqual([
    ['Ann', 'Price: 6.00 → 5.00'],
    [bob.name, 'Price: 5.00 → 6.00'],
  ])
  // The form comes from a page that was opened earlier.
  expect((await post('/dashboard/edit/undo', price ?? {})).status).toBe(409)
  expect((await post('/dashboard/edit/undo', { name: 'Shelf', at: '1' })).status).toBe(409)
  await post('/dashboard/edit/undo', brand ?? {})
  expect((await history())[0]).toEqual(['Ann', 'Brand: Ann, removed'])
  expect((await result()).tag.Brand).toBe(undefined)
})
