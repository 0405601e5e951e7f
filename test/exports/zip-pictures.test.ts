import { describe, expect, it } from 'vitest'
import { planZip, streamZip } from '../../src/exports/zip-pictures.ts'
import { notProcessed } from '../../src/garments/failure.ts'
import { copyKey } from '../../src/garments/pictures/stored-copy.ts'
import { fileKey } from '../../src/garments/pictures/uploaded-file.ts'
import { storedFiles } from '../../src/platform/db/schema.ts'
import { encodeJpeg } from '../../src/vision/image/encode-jpeg.ts'
import { withOrientation } from '../fixtures/pictures/with-orientation.ts'
import { insertGarment } from '../garments/review/complete-garment.ts'
import { sessionOf } from '../dashboard/session-of.ts'
import { bindings, databaseOf, newTenant, raw } from '../service.ts'
import { fileOf, storedPicture } from '../support/stored-garment/stored-pictures.ts'
import { readZip } from './read-zip.ts'

const jpeg = (shade: number) =>
  encodeJpeg({ width: 16, height: 8, data: new Uint8ClampedArray(16 * 8 * 4).fill(shade) })

async function newShop() {
  const { tenantId, merchant, auth } = await newTenant()
  const session = { Origin: 'http://service.test', ...(await sessionOf(merchant.id)) }
  /** Stores an uploaded file, of `bytes` according to the database. */
  const store = async (shade: number, bytes = 1000) => {
    const file = fileOf(crypto.randomUUID())
    const httpMetadata = { contentType: 'image/jpeg' }
    await bindings.PICTURES.put(fileKey(tenantId, file.id), withOrientation(jpeg(shade), 1), { httpMetadata })
    await databaseOf(tenantId).insert(storedFiles).values({ tenantId, fileId: file.id, bytes })
    return { file }
  }
  const insert = async (number: number, pictures: Parameters<typeof insertGarment>[2] = {}) =>
    await insertGarment(tenantId, `g${number}`, { number, createdAt: 1000 + number, ...pictures })
  const post = async (query: string, fields: Record<string, string>) =>
    await raw('POST', `/dashboard/export/file${query}`, session, new URLSearchParams(fields))
  return { tenantId, auth, session, store, insert, post }
}

const filesIn = async (response: Response) => readZip(new Uint8Array(await response.arrayBuffer()))
const namesIn = async (response: Response) => Object.keys(await filesIn(response))

const nextOf = (response: Response) => {
  const [, link = ''] = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '') ?? []
  return link === '' ? null : new URL(link).pathname + new URL(link).search
}

const gone = { file: fileOf('gone') }

describe('pictures as ZIP', () => {
  it('contain the upright copy of a picture that was rotated', async () => {
    const { tenantId, auth, store, insert } = await newShop()
    const copyId = crypto.randomUUID()
    await bindings.PICTURES.put(copyKey(tenantId, copyId), jpeg(30), { httpMetadata: { contentType: 'image/jpeg' } })
    await insert(7, {
      pictures: [
        { ...(await store(10)), rotation: 90, role: 'tagged', copyId },
        { ...(await store(20)), rotation: 90, role: 'listed' },
      ],
    })
    const files = await filesIn(await raw('GET', '/garment-tagging/export?format=pictures', auth))
    expect(Object.values(files)).toEqual([jpeg(30), jpeg(20)])
  })

  it('are named by stock number, without metadata, and are those of garments for sale', async () => {
    const { tenantId, auth, store, insert } = await newShop()
    const copyId = crypto.randomUUID()
    await bindings.PICTURES.put(copyKey(tenantId, copyId), jpeg(30), { httpMetadata: { contentType: 'image/jpeg' } })
    await insert(7, {
      pictures: [await store(10), { ...(await store(0)), failure: notProcessed }, { copyId }, await store(20)],
    })
    await insert(8, { attribute: '{"Stage":"sold"}', pictures: [await store(1)] })
    await insert(9, { pictures: [gone, await store(40)] })
    const response = await raw('GET', '/garment-tagging/export?format=pictures', auth)
    expect([response.status, response.headers.get('content-type'), nextOf(response)]).toEqual([
      200,
      'application/zip',
      null,
    ])
    expect(await filesIn(response)).toEqual({
      'G-7-1.jpg': jpeg(10),
      'G-7-2.jpg': jpeg(30),
      'G-7-3.jpg': jpeg(20),
      'G-9-2.jpg': jpeg(40),
    })
  })

  it('are those of the tenant only, even if another garment names its file', async () => {
    const [one, other] = [await newShop(), await newShop()]
    const { file } = await one.store(10)
    await one.insert(1, { pictures: [{ file }] })
    await other.insert(2, { pictures: [{ file }] })
    const of = async ({ auth }: typeof one) =>
      await namesIn(await raw('GET', '/garment-tagging/export?format=pictures', auth))
    expect([await of(one), await of(other)]).toEqual([['G-1-1.jpg'], []])
  })

  it('of a large selection are in several files, which split no garment', async () => {
    const { auth, store, insert } = await newShop()
    for (let number = 1; number <= 3; number++)
      await insert(number, { pictures: [await store(number, 40_000_000), await store(number, 45_000_000)] })
    const names: string[][] = []
    for (let path: string | null = '/garment-tagging/export?format=pictures'; path !== null;) {
      const response: Response = await raw('GET', path, auth)
      names.push(await namesIn(response))
      path = nextOf(response)
    }
    expect(names).toEqual([
      ['G-1-1.jpg', 'G-1-2.jpg', 'G-2-1.jpg', 'G-2-2.jpg'],
      ['G-3-1.jpg', 'G-3-2.jpg'],
    ])
    const limited = await raw('GET', '/garment-tagging/export?format=pictures&limit=1', auth)
    expect([await namesIn(limited), nextOf(limited)]).toEqual([['G-1-1.jpg', 'G-1-2.jpg'], expect.any(String)])
  })

  it('are at most 400 in one file', async () => {
    const pictures = Array.from({ length: 8 }, () => storedPicture())
    const garments = Array.from({ length: 51 }, (_, i) => ({ uuid: `g${i}`, number: i, createdAt: i, pictures }))
    const plan = async (from: number) => await planZip(databaseOf('t'), 't', [garments.slice(from)])
    const [first, second] = [await plan(0), await plan(50)]
    expect([first.pictures.length, first.nextCursor, second.pictures.length, second.nextCursor]).toEqual([
      400,
      '49_g49',
      8,
      null,
    ])
  })

  it('are read from storage as the file is sent', async () => {
    let reads = 0
    const bucket = {
      get: async (key: string) => {
        reads++
        return await bindings.PICTURES.get(key)
      },
    }
    const pictures = Array.from({ length: 9 }, (_, i) => ({ name: `G-${i}-1`, key: `zip-test/${i}` }))
    for (const { key } of pictures) await bindings.PICTURES.put(key, jpeg(9))
    const zip = await streamZip(bucket as Pick<R2Bucket, 'get'>, 'reader', pictures)
    await scheduler.wait(50)
    expect(reads).toBeLessThan(4)
    expect(Object.keys(readZip(new Uint8Array(await new Response(zip).arrayBuffer())))).toHaveLength(9)
  })
})

describe('pictures from the dashboard', () => {
  it('are those of the selected garments, sold ones included', async () => {
    const { store, insert, post } = await newShop()
    await insert(1, { pictures: [await store(1)] })
    await insert(2, { attribute: '{"Stage":"sold"}', pictures: [await store(2)] })
    await insert(3, { pictures: [await store(3, 150_000_000)] })
    await insert(4, { pictures: [await store(4, 150_000_000)] })
    const selected = async (...uuids: string[]) =>
      await post('?selected=yes', {
        format: 'pictures',
        ...Object.fromEntries(uuids.map((uuid) => [`select.${uuid}`, 'yes'])),
      })
    expect(await namesIn(await selected('g1', 'g2'))).toEqual(['G-1-1.jpg', 'G-2-1.jpg'])
    expect((await selected('g2')).headers.get('content-disposition')).toBe('attachment; filename="G-2.zip"')
    const none = await selected()
    expect([none.status, await none.text()]).toEqual([400, expect.stringContaining('Select at least one garment')])
    const many = await selected('g3', 'g4')
    expect([many.status, await many.text()]).toEqual([400, expect.stringContaining('at most 400 pictures and 200 MB')])
  })

  it('of a large selection follow in parts, after which only new ones are exported', async () => {
    const { store, insert, post, session } = await newShop()
    for (let number = 1; number <= 2; number++) await insert(number, { pictures: [await store(number, 150_000_000)] })
    expect((await post('', { format: 'pictures' })).status).toBe(400)
    const first = await post('', { format: 'pictures', part: '' })
    expect(first.headers.get('content-disposition')).toMatch(/filename="pictures-\d{4}-\d\d-\d\d-1\.zip"/)
    expect(await namesIn(first)).toEqual(['G-1-1.jpg'])
    // A garment that is tagged meanwhile is of the next export.
    await insert(3, { createdAt: 500, endedAt: Date.now(), pictures: [await store(3)] })
    const second = await post('', { format: 'pictures', part: first.headers.get('x-next-part') ?? '' })
    expect([await namesIn(second), second.headers.get('x-next-part')]).toEqual([['G-2-1.jpg'], null])
    const page = async () => await (await raw('GET', '/dashboard/export', session)).text()
    await expect.poll(page).toMatch(/G-1042-1\.jpg\. Last whole export: /)
    expect(await namesIn(await post('', { format: 'pictures', since: 'last', part: '' }))).toEqual(['G-3-1.jpg'])
  })

  it('are refused in a part that is none of ours', async () => {
    const { post } = await newShop()
    expect((await post('', { format: 'pictures', part: 'cursor=1' })).status).toBe(400)
  })
})
