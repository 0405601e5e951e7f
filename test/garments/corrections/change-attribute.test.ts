import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { supplyAttribute } from '../../../src/garments/corrections/attributes.ts'
import { garments } from '../../../src/platform/db/schema.ts'
import { findStored } from '../../../src/accounts/quotas.ts'
import { countRowBytes } from '../../support/count-row-bytes.ts'
import { listGarments } from '../../../src/garments/list/list-garments.ts'
import { correctGarment } from '../../../src/garments/corrections/correct-garment.ts'
import { ImageError } from '../../../src/platform/outbound/fetch-image.ts'
import { call, databaseOf, newTenant, raw } from '../../service.ts'
import { deps, insertGarment, machineTag } from '../review/complete-garment.ts'
import { failsWith, newScene, tagged } from '../../tagging/scene.ts'

const path = '/garment-tagging/garment?uuid=g'

const rowOf = async (tenantId: string) =>
  (await databaseOf(tenantId).select().from(garments).where(eq(garments.tenantId, tenantId)))[0]

describe('PATCH /garment-tagging/garment with attributes', () => {
  it('merges them, and the tag and the description follow', async () => {
    const { tenantId, auth } = await newTenant()
    await insertGarment(tenantId, 'g', {
      attribute: '{"Brand":"Ann","Size":"M"}',
      tag: { Brand: 'Ann', ...machineTag },
    })
    const before = await raw('GET', '/garment-tagging/query?uuid=g', auth)
    const { status, body } = await call('PATCH', path, auth, {
      attribute: { Brand: 'Bob', Size: null, Season: 'SS26' },
    })
    expect([status, body.data.tag.Brand, body.data.corrected]).toEqual([200, 'Bob', undefined])
    expect(body.data.description).toMatch(/^A T-shirt in navy by Bob\./)
    expect(Object.keys(body.data.tag).slice(0, 3)).toEqual(['Brand', 'Category', 'Item Type'])
    const row = await rowOf(tenantId)
    expect([row?.attribute, row?.dueAt]).toEqual(['{"Brand":"Bob","Season":"SS26"}', null])
    const after = await raw('GET', '/garment-tagging/query?uuid=g', auth)
    expect(await after.json()).toEqual(body)
    expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'))
  })

  it('changes the values of a listing, in the spelling that the garment has', async () => {
    const { tenantId, auth } = await newTenant()
    await insertGarment(tenantId, 'g', { attribute: '{"Size":"M","price":"10.00"}' })
    const change = async (body: object) => {
      const { status } = await call('PATCH', path, auth, body)
      return [status, JSON.parse((await rowOf(tenantId))?.attribute ?? '')] as const
    }
    const listing = { price: '12.50', text: 'Soft.', sku: 'A-1', size: null, 'own.Season': 'SS26' }
    const after = { Description: 'Soft.', SKU: 'A-1', Season: 'SS26', price: '12.50' }
    expect(await change({ listing })).toEqual([200, after])
    expect(await change({ attribute: { Brand: 'Ann' }, listing: { Text: null, brand: 'Bob' } })).toEqual([
      200,
      { Brand: 'Bob', SKU: 'A-1', Season: 'SS26', price: '12.50' },
    ])
    const both = { attribute: { shelf: 'A 1', Price: '9.00' }, listing: { Shelf: 'B 2', price: '11.00' } }
    expect(await change(both)).toEqual([
      200,
      { Brand: 'Bob', SKU: 'A-1', Season: 'SS26', Shelf: 'B 2', price: '11.00' },
    ])
    expect(await change({ listing: { price: '9,90 €', condition: 'wie neu' } })).toMatchObject([
      200,
      { price: '9.90', Currency: 'EUR', Condition: 'excellent' },
    ])
    const unread = await call('PATCH', path, auth, { listing: { price: 'teuer', stock: 'zwölf' } })
    expect([unread.status, unread.body.error]).toEqual([
      400,
      [
        'attribute.price: must be an amount, such as 12.50 or 12,50 €',
        'attribute.Stock: must be a whole number, such as 1',
      ],
    ])
    const wrong = await call('PATCH', path, auth, { listing: { price: 13 } })
    expect([wrong.status, wrong.body.error]).toEqual([400, ['listing.price: must be a string or null']])
  })

  it('takes columns of a listing that begin with own., and refuses other unknown ones', async () => {
    const { tenantId, auth } = await newTenant()
    await insertGarment(tenantId, 'g')
    const unknown = await call('PATCH', path, auth, { listing: { colour: 'Red', 'own.': 'x' } })
    const hint = 'is not a field of a listing; begin the name of a column of your own with own.'
    expect([unknown.status, unknown.body.error]).toEqual([400, [`listing.colour: ${hint}`, `listing.own.: ${hint}`]])
  })

  it('falls back on what the item type tells when the client takes a value back', async () => {
    const { tenantId, auth } = await newTenant()
    await insertGarment(tenantId, 'g', { attribute: '{"Category":"Sale"}', tag: { ...machineTag, Category: 'Sale' } })
    const { body } = await call('PATCH', path, auth, { attribute: { Category: null } })
    expect(body.data.tag.Category).toBe('Clothing')
  })

  it('leaves gender, category and description those of the corrected type that the picture was tagged as', async () => {
    const { tenantId, auth } = await newTenant()
    const scene = { shown: 'flat', scale: null, notes: [], probabilities: {}, tagger: '1.0' }
    await insertGarment(tenantId, 'g', {
      tag: { ...machineTag, 'Item Type': 'Dress' },
      details: { ...scene, measuredAs: 'T-Shirt' },
    })
    const type = { tag: { 'Item Type': 'T-Shirt' } }
    const before = (await call('PATCH', path, auth, type)).body.data
    const { body } = await call('PATCH', path, auth, { attribute: { Price: '12' } })
    const listing = { ...before.listing, price: '12.00' }
    expect(body.data).toEqual({ ...before, attribute: { Price: '12.00' }, listing })
    expect(body.data.tag).not.toHaveProperty('Gender')
    expect(body.data.description).toMatch(/^A T-shirt in navy/)
  })

  it('corrects values in the same request, all or nothing', async () => {
    const { tenantId, auth } = await newTenant()
    await insertGarment(tenantId, 'g')
    const wrong = await call('PATCH', path, auth, { tag: { Fit: 'x' }, attribute: { Brand: 'Bob' } })
    expect([wrong.status, (await rowOf(tenantId))?.attribute]).toEqual([400, '{}'])
    const right = await call('PATCH', path, auth, { tag: { Fit: 'Slim' }, attribute: { Brand: 'Bob' } })
    expect(right.body.data).toMatchObject({ tag: { Fit: 'Slim', Brand: 'Bob' }, corrected: ['Fit'] })
  })

  it.each([
    [{ attribute: { Brand: 3 } }, 'attribute.Brand: must be a string or null'],
    [{ attribute: { Brand: 'x'.repeat(513) } }, 'attribute.Brand: must be at most 512 characters'],
    [{ attribute: { ['x'.repeat(65)]: 'y' } }, /^attribute.*must be a key of at most 64 characters$/],
    [{ attributes: { Brand: 'x' }, tag: { Fit: 'Slim' } }, 'attributes: is not a field; did you mean attribute?'],
  ])('refuses %j', async (patch, problem) => {
    const { tenantId, auth } = await newTenant()
    await insertGarment(tenantId, 'g')
    const { status, body } = await call('PATCH', path, auth, patch)
    expect([status, body.error]).toEqual([400, [expect.stringMatching(problem)]])
  })

  it('refuses more than 50 in all, and longer ones than the tenant has room for', async () => {
    const { tenantId } = await newTenant()
    const db = databaseOf(tenantId)
    const many = Object.fromEntries(Array.from({ length: 49 }, (_, i) => [`k${i}`, 'v']))
    await insertGarment(tenantId, 'g', { attribute: JSON.stringify(many) })
    const change = async (attribute: Record<string, string>, maxText = 1e6) =>
      await correctGarment(
        { ...deps, db, quotas: { ...deps.quotas, row_bytes: maxText } },
        tenantId,
        { uuid: 'g', patch: { tag: {}, measurements: {}, attribute }, by: { kind: 'api-key', id: 'k', name: '' } },
        3000,
      )
    await expect(change({ a: 'b', c: 'd' })).rejects.toMatchObject({
      problems: ['attribute: must have at most 50 keys'],
    })
    await expect(change({ k1: 'longer than before' }, 10)).rejects.toMatchObject({ status: 413 })
    for (const k1 of ['longer', 'v']) {
      await change({ k1 })
      expect((await findStored(db, tenantId)).row_bytes).toBe(await countRowBytes(db, tenantId))
    }
  })
})

describe('a change of an attribute that the tagger reads', () => {
  const patch = async (
    scene: Awaited<ReturnType<typeof newScene>>,
    attribute: Record<string, string | null>,
    tag: Record<string, string> = {},
  ) =>
    await correctGarment(
      { ...deps, taggingQueue: scene.deps.taggingQueue, webhookQueue: scene.deps.webhookQueue },
      scene.tenantId,
      { uuid: 'g', patch: { tag, measurements: {}, attribute }, by: { kind: 'api-key', id: 'k', name: '' } },
      scene.clock.now,
    )

  it('has the picture tagged again, while the garment stays complete', async () => {
    const scene = await newScene()
    await scene.enableWebhook()
    await scene.tag()
    await patch(scene, { Gender: "Women's" })
    expect((await scene.garment()).status).toBe('complete')
    const [message] = scene.enqueued()
    const seen: unknown[] = []
    const again = { ...tagged, measurements: { 'Chest (cm)': 45 } }
    await scene.tag({ tagPicture: async (_, { attribute }) => (seen.push(attribute), again) }, message)
    expect(seen).toEqual([{ Gender: "Women's" }])
    expect(await scene.garment()).toMatchObject({ status: 'complete', dueAt: null, measurements: again.measurements })
    expect(scene.sent.webhook.length).toBe(1)
  })

  it('wins over a run that has read the former one, whether it has claimed the garment or not', async () => {
    for (const late of ['fetchImage', 'tagPicture'] as const) {
      const scene = await newScene()
      await scene.tag()
      await patch(scene, { Gender: "Men's" })
      const change = async () => await patch(scene, { Gender: null, Brand: 'Ann' })
      await scene.tag(
        late === 'fetchImage'
          ? { fetchImage: async () => (await change(), new Uint8Array(1)) }
          : { tagPicture: async () => (await change(), { ...tagged, tag: { Gender: "Men's" } }) },
      )
      const row = await scene.garment()
      expect([row.attribute, row.tag]).toEqual([
        '{"Brand":"Ann"}',
        expect.objectContaining({ ...tagged.tag, Brand: 'Ann', Category: 'Clothing' }),
      ])
      expect(row.dueAt).not.toBe(null)
      await scene.tag({}, scene.enqueued().at(-1))
      expect((await scene.garment()).dueAt).toBe(null)
    }
  })

  it('leaves no former type in the search, if something else was corrected during the run', async () => {
    for (const late of ['fetchImage', 'tagPicture'] as const) {
      const scene = await newScene()
      await scene.tag()
      await patch(scene, { Studio: 'Berlin' })
      const correct = async () => await patch(scene, {}, { Colour: 'Red' })
      const dress = { ...tagged, tag: { 'Item Type': 'Dress' } }
      await scene.tag(
        late === 'fetchImage'
          ? { fetchImage: async () => (await correct(), new Uint8Array(1)), tagPicture: async () => dress }
          : { tagPicture: async () => (await correct(), dress) },
      )
      await scene.tag({ tagPicture: async () => dress }, scene.enqueued().at(-1))
      const find = async (search: string) =>
        (await listGarments(deps.db, scene.tenantId, { search, limit: 2 })).garments
      expect([(await find('red dress')).length, (await find('t-shirt')).length]).toEqual([1, 0])
      expect((await scene.garment()).dueAt).toBe(null)
    }
  })

  it('keeps the values if the picture is gone', async () => {
    const scene = await newScene()
    await scene.tag()
    await patch(scene, { Studio: 'Berlin' })
    await scene.tag(failsWith(new ImageError('permanent', 'image_empty')))
    expect(await scene.garment()).toMatchObject({ status: 'complete', dueAt: null, tag: tagged.tag })
  })
})

it('the supplied values stand where the catalogue has them, and unknown keys stay', () => {
  const tag = { 'Item Type': 'T-Shirt', Old: 'kept', 'Item Type Confidence': 'High', Brand: 'Ann' }
  expect(Object.entries(supplyAttribute({ tag }, { Material: 'Cotton', Gender: 'x' }))).toEqual([
    ['Category', 'Clothing'],
    ['Gender', 'x'],
    ['Item Type', 'T-Shirt'],
    ['Item Type Confidence', 'High'],
    ['Material', 'Cotton'],
    ['Old', 'kept'],
  ])
})

it('blank values are those that the item type tells, or none', () => {
  const tag = supplyAttribute(
    { tag: { 'Item Type': 'Dress' } },
    { Brand: '', Category: ' ', Gender: '\t', Material: ' Cotton ' },
  )
  expect(tag).toEqual({ 'Item Type': 'Dress', Category: 'Clothing', Gender: "Women's", Material: 'Cotton' })
})
