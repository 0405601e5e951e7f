import { and, eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { parseCorrections } from '../../../src/garments/corrections/correction.ts'
import { garments } from '../../../src/platform/db/schema.ts'
import { listGarments } from '../../../src/garments/list/list-garments.ts'
import { garmentPayload } from '../../../src/webhooks/deliveries/build-call.ts'
import { correctGarment } from '../../../src/garments/corrections/correct-garment.ts'
import { garmentRow, machineResult } from '../../../src/garments/garment.ts'
import { storedResult } from '../../support/stored-result.ts'
import { call, databaseOf, newTenant } from '../../service.ts'
import { deps, insertGarment, machineMeasurements, machineTag } from '../review/complete-garment.ts'

const by = { kind: 'member', id: 's', name: 'Ann' } as const

async function readGarment(tenantId: string, uuid: string) {
  const [row] = await databaseOf(tenantId)
    .select(garmentRow)
    .from(garments)
    .where(and(eq(garments.tenantId, tenantId), eq(garments.uuid, uuid)))
  if (row === undefined) throw new Error('The garment is gone')
  return row
}

describe('PATCH /garment-tagging/garment', () => {
  const path = '/garment-tagging/garment?uuid=g'

  it('answers with the corrected garment, and so does the query', async () => {
    const { tenantId, keyId, auth } = await newTenant()
    await insertGarment(tenantId, 'g')
    const before = await call('GET', '/garment-tagging/query?uuid=g', auth)
    expect(before.body.data).not.toHaveProperty('corrected')
    const patch = { tag: { 'Item Type': 'Shirt', Closure: 'Button' }, measurements: { 'Chest (cm)': 54 } }
    const answer = await call('PATCH', path, auth, patch)
    expect([answer.status, answer.body.message]).toEqual([200, 'success!'])
    expect(answer.body.data).toMatchObject({
      uuid: 'g',
      status: 'complete',
      complete: true,
      tag: { 'Item Type': 'Shirt', 'Item Type Confidence': 'High', Closure: 'Button', 'Closure Confidence': 'High' },
      // What follows from the usual sizes of a T-shirt is not a shirt's.
      measurements: { 'Chest (cm)': 54 },
      corrected: ['Item Type', 'Closure', 'Chest (cm)'],
    })
    expect(answer.body.data.description).toMatch(/^A shirt in navy\./)
    const query = await call('GET', '/garment-tagging/query?uuid=g', auth)
    expect(query.body).toEqual(answer.body)
    // The machine's record stays, beside who corrected it and when.
    const row = await readGarment(tenantId, 'g')
    expect(machineResult(row)).toMatchObject({ tag: machineTag, measurements: machineMeasurements })
    expect(parseCorrections(row.corrections).tag['Item Type']).toEqual({
      value: 'Shirt',
      machine: 'T-Shirt',
      confidence: 'Medium',
      at: expect.any(Number),
      by: { kind: 'api-key', id: keyId, name: '' },
    })
    const { garments: listed } = await listGarments(databaseOf(tenantId), tenantId, { limit: 1 })
    expect(listed[0]?.itemType).toBe('Shirt')
  })

  it('takes a correction back by null, so that the answer is the same as before it', async () => {
    const { tenantId, auth } = await newTenant()
    await insertGarment(tenantId, 'g')
    const before = await call('GET', '/garment-tagging/query?uuid=g', auth)
    await call('PATCH', path, auth, { tag: { Colour: 'Black', Fit: 'Slim' } })
    await call('PATCH', path, auth, { tag: { Colour: null, Brand: null } })
    const after = await call('PATCH', path, auth, { tag: { Fit: null }, measurements: { 'Chest (cm)': null } })
    expect(after.body).toEqual(before.body)
    expect((await readGarment(tenantId, 'g')).corrections).toBe(null)
  })

  it('names every wrong key and changes nothing', async () => {
    const { tenantId, auth } = await newTenant()
    await insertGarment(tenantId, 'g')
    const wrong = { tag: { Colour: 'Bleu', Fit: 'Slim', Shelf: 'XL' }, measurements: { 'Inseam (cm)': 70 } }
    const { status, body } = await call('PATCH', path, auth, wrong)
    expect([status, body.message]).toEqual([400, 'Invalid correction'])
    expect(body.error.map((problem: string) => problem.split(':')[0])).toEqual([
      'tag.Colour',
      'tag.Shelf',
      'measurements.Inseam (cm)',
    ])
    expect((await readGarment(tenantId, 'g')).corrections).toBe(null)
  })

  it.each([
    [{}, 'body'],
    [{ tag: {} }, 'body'],
    [{ tag: { Fit: 3 } }, 'tag.Fit'],
    [{ tag: 'Slim' }, 'tag'],
    [{ measurements: { 'Chest (cm)': '50' } }, 'measurements.Chest (cm)'],
  ])('refuses the body %j', async (patch, field) => {
    const { tenantId, auth } = await newTenant()
    await insertGarment(tenantId, 'g')
    const { status, body } = await call('PATCH', path, auth, patch)
    expect([status, body.error[0]?.split(': ')[0]]).toEqual([400, field])
  })

  it('takes no control characters in attributes', async () => {
    const { tenantId, auth } = await newTenant()
    await insertGarment(tenantId, 'g', { attribute: '{"Old":"a"}' })
    const given = { 'K\u0000': 'a', Note: 'b\u007f' }
    const { status, body } = await call('PATCH', path, auth, { attribute: given })
    expect([status, body.error]).toEqual([
      400,
      ['attribute.K\u0000: must not contain control characters', 'attribute.Note: must not contain control characters'],
    ])
    expect((await call('PATCH', path, auth, { attribute: { Note: 'b\tc\n' } })).status).toBe(200)
    const stored: unknown = JSON.parse((await readGarment(tenantId, 'g')).attribute)
    expect(stored).toEqual({ Old: 'a', Note: 'b\tc\n' })
  })

  it('is refused while a garment is not complete, and for an unknown one', async () => {
    const { tenantId, auth } = await newTenant()
    for (const status of ['queuing', 'processing', 'failed'] as const) {
      await insertGarment(tenantId, status, { status, result: null })
      const answer = await call('PATCH', `/garment-tagging/garment?uuid=${status}`, auth, { tag: { Fit: 'Slim' } })
      expect(answer.status).toBe(409)
    }
    expect((await call('PATCH', path, auth, { tag: { Fit: 'Slim' } })).status).toBe(404)
  })
})

it('a confirmed value is described after a later run that predicts another one', async () => {
  const { tenantId, auth } = await newTenant()
  await insertGarment(tenantId, 'g')
  await call('PATCH', '/garment-tagging/garment?uuid=g', auth, { tag: { Colour: 'Navy' } })
  const later = { result: storedResult({ tag: { ...machineTag, Colour: 'Blue' } }) }
  await databaseOf(tenantId).update(garments).set(later).where(eq(garments.tenantId, tenantId))
  const { body } = await call('GET', '/garment-tagging/query?uuid=g', auth)
  expect(body.data).toMatchObject({ tag: { Colour: 'Navy' }, corrected: ['Colour'] })
  expect(body.data.description).toMatch(/^A T-shirt in navy\./)
  const exported = await call('GET', '/garment-tagging/export', auth)
  expect(exported.body.data.garments[0]).not.toHaveProperty('confirmed')
})

it('concurrent corrections of one garment are all kept', async () => {
  const tenantId = crypto.randomUUID()
  await insertGarment(tenantId, 'g')
  const tags = [{ Colour: 'Black' }, { Fit: 'Slim' }, { Pattern: 'Striped' }]
  await Promise.all(
    tags.map((tag) => correctGarment(deps, tenantId, { uuid: 'g', patch: { tag, measurements: {} }, by }, 3000)),
  )
  const { tag } = parseCorrections((await readGarment(tenantId, 'g')).corrections)
  expect(Object.keys(tag).sort()).toEqual(['Colour', 'Fit', 'Pattern'])
})

it('a webhook that is sent after a correction gives the corrected value', async () => {
  const tenantId = crypto.randomUUID()
  await insertGarment(tenantId, 'g')
  const read = async () =>
    JSON.parse(
      new TextDecoder().decode(
        garmentPayload(await readGarment(tenantId, 'g'), { event: 'tagging.completed', atMs: 2000 }, undefined).body,
      ),
    )
  expect(Object.keys(await read())).not.toContain('corrected')
  const patch = { tag: { Colour: 'Black' }, measurements: {} }
  await correctGarment(deps, tenantId, { uuid: 'g', patch, by }, 3000)
  expect(await read()).toMatchObject({ event: 'tagging.completed', tag: { Colour: 'Black' }, corrected: ['Colour'] })
})
