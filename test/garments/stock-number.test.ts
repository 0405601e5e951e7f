import { describe, expect, it } from 'vitest'
import { deleteGarment } from '../../src/garments/delete-garment.ts'
import { getGarment } from '../../src/garments/garment.ts'
import { pictureAt } from '../../src/garments/pictures/garment-picture.ts'
import { findNumbers, reserveNumbers } from '../../src/garments/reserve-numbers.ts'
import { uploadGarment } from '../../src/garments/upload-garment.ts'
import { csvOf, newImporter } from '../imports/tenant-imports.ts'
import { call, databaseOf, newTenant, bindings, someone, uploadLimits } from '../service.ts'

const imageUrl = 'http://127.0.0.1:9/x.jpg'

/** A tenant whose uploads do not count against the rate limit. */
async function newShop() {
  const { auth, tenantId } = await newTenant()
  const db = databaseOf(tenantId)
  const content = { pictures: [pictureAt(imageUrl)], attribute: {}, origin: 'https://s.example' }
  return {
    auth,
    tenantId,
    db,
    upload: async (uuid: string, more: { number?: number; attribute?: Record<string, string> } = {}) =>
      await uploadGarment(db, tenantId, { uuid, ...content, ...more }, { ...uploadLimits, nowMs: 1000 }),
    number: async (uuid: string) => (await getGarment(db, tenantId, uuid)).number,
    remove: async (uuid: string) => await deleteGarment({ db, ...storage }, tenantId, uuid, 1, someone),
  }
}

const storage = {
  pictures: bindings.PICTURES,
  taggingQueue: bindings.TAGGING_QUEUE,
  webhookQueue: bindings.WEBHOOK_QUEUE,
}

describe('the stock number of a garment', () => {
  it('is counted up within the tenant, is not taken by a repeated upload, and is not used again', async () => {
    const [shop, other] = [await newShop(), await newShop()]
    for (const uuid of ['a', 'a', 'b']) await shop.upload(uuid)
    await other.upload('a')
    expect([await shop.number('a'), await shop.number('b'), await other.number('a')]).toEqual([1, 2, 1])
    await shop.remove('b')
    await shop.upload('b')
    expect(await shop.number('b')).toBe(3)
  })

  it('stays when a failed garment is uploaded again', async () => {
    const { db, tenantId, upload, number } = await newShop()
    await upload('a')
    await db.$client
      .prepare("UPDATE garments SET status = 'failed', ended_at = 1 WHERE tenant_id = ?")
      .bind(tenantId)
      .run()
    await upload('a', { attribute: { Brand: 'Ann' } })
    await upload('b')
    expect([await number('a'), await number('b')]).toEqual([1, 2])
  })

  it('changes when a failed garment is uploaded again with a reserved number, once or by an import', async () => {
    const importer = await newImporter()
    const { db, tenantId } = importer
    const content = { pictures: [pictureAt(imageUrl)], attribute: {}, origin: 'https://s.example' }
    const upload = async (uuid: string, number?: number) =>
      await uploadGarment(db, tenantId, { uuid, ...content, number }, { ...uploadLimits, nowMs: 1 })
    for (const uuid of ['a', 'b', 'c']) await upload(uuid)
    expect(await reserveNumbers(db, tenantId, 3)).toEqual([4, 5, 6])
    await db.$client
      .prepare("UPDATE garments SET status = 'failed', ended_at = 1 WHERE tenant_id = ?")
      .bind(tenantId)
      .run()
    await upload('a', 5)
    await importer.store(`uuid,number,image_url\nb,6,${imageUrl}\nc,5,${imageUrl}\n`)
    await importer.run()
    expect((await importer.garments()).map(({ uuid, number }) => [uuid, number])).toEqual([
      ['a', 5],
      ['b', 6],
      ['c', 3],
    ])
    expect((await findNumbers(db, tenantId, [4, 5, 6])).reserved).toEqual([4])
  })

  it('follows the order of an imported file, and lines of garments that are there take none', async () => {
    const importer = await newImporter()
    const content = { pictures: [pictureAt(imageUrl)], attribute: {}, origin: 'https://s.example' }
    await uploadGarment(importer.db, importer.tenantId, { uuid: 'b', ...content }, { ...uploadLimits, nowMs: 1 })
    await importer.store(csvOf(['c', 'b', 'a']))
    await importer.run()
    const numbers = (await importer.garments()).map(({ uuid, number }) => [uuid, number])
    expect(numbers).toEqual([
      ['a', 3],
      ['b', 1],
      ['c', 2],
    ])
    await uploadGarment(importer.db, importer.tenantId, { uuid: 'd', ...content }, { ...uploadLimits, nowMs: 1 })
    expect((await importer.garments())[3]?.number).toBe(4)
  })

  it('may be reserved for a blank label, and then goes to the upload that names it, once', async () => {
    const { db, tenantId, upload, number } = await newShop()
    await upload('a')
    expect(await reserveNumbers(db, tenantId, 3)).toEqual([2, 3, 4])
    await upload('b')
    expect(await upload('c', { number: 3 })).not.toBeNull()
    expect(await upload('c', { number: 3 })).toBeNull()
    expect([await number('b'), await number('c')]).toEqual([5, 3])
    for (const taken of [3, 5, 99])
      await expect(upload('d', { number: taken })).rejects.toMatchObject({
        status: 400,
        problems: [expect.stringContaining(`number: ${taken} is not reserved`)],
      })
    await expect(upload('c', { number: 4 })).rejects.toMatchObject({ status: 409 })
    await upload('d')
    expect(await number('d')).toBe(6)
  })

  it('finds the garment in a search', async () => {
    const { auth, db, tenantId, upload } = await newShop()
    await upload('a')
    await upload('b')
    await db.$client
      .prepare(
        "UPDATE garments SET status = 'failed', ended_at = 1, queued_at = NULL, due_at = NULL, search_text = ' #n' || number || ' ' WHERE tenant_id = ?",
      )
      .bind(tenantId)
      .run()
    const { body } = await call('GET', '/garment-tagging/garments?q=G-2', auth)
    expect(body.data['garments']).toMatchObject([{ uuid: 'b', number: 2 }])
  })
})

it('a query answers the attributes, the listing and the stage', async () => {
  const { auth } = await newTenant()
  const attribute = { Title: 'Shirt', price: '9.90', Stage: 'listed', Shelf: 'B 3' }
  await call('POST', '/garment-tagging/upload', auth, { uuid: 'a', image_url: imageUrl, attribute })
  const { body } = await call('GET', '/garment-tagging/query?uuid=a', auth)
  expect(body.data).toMatchObject({
    attribute,
    listing: { title: 'Shirt', price: '9.90', sku: '' },
    stage: 'listed',
  })
})
