import { pictureAt } from '../../src/garments/pictures/garment-picture.ts'
import { and, eq, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { exportGarments } from '../../src/garments/list/read-garments.ts'
import { comparedGarments, parseSame } from '../../src/garments/duplicates.ts'
import { restoreGarment } from '../../src/garments/bin.ts'
import { binGarment, deleteGarment } from '../../src/garments/delete-garment.ts'
import { getGarment, toGarmentResponse } from '../../src/garments/garment.ts'
import { listGarments } from '../../src/garments/list/list-garments.ts'
import { openDatabase } from '../../src/platform/db/database.ts'
import { garments } from '../../src/platform/db/schema.ts'
import { toExportResponse } from '../../src/exports/walk-garments.ts'
import { levelCount, type PictureHash } from '../../src/vision/picture-hash.ts'
import { sessionOf } from '../dashboard/session-of.ts'
import { bindings, databaseOf, newTenant, raw, someone, uploadLimits } from '../service.ts'
import { countDatabase } from '../support/count-database.ts'
import { pictureCopy } from '../support/picture-copy.ts'
import { putReviewed } from '../../src/garments/review/review.ts'
import { insertGarment, machineTag } from './review/complete-garment.ts'
import { db, newScene, tagged } from '../tagging/scene.ts'

const bits = 0x5a5a_1234_5678_9abcn
const colours = BigInt(`0x${'84210'.repeat(3)}`)

/** A hash that differs from that of all others here in so many bits, and in one colour by so many levels. */
const hashOf = (differentBits: number, levels = 0): PictureHash => ({
  bits: String(bits ^ (2n ** BigInt(differentBits) - 1n)),
  colours: String(colours + (BigInt(levels) << 20n)),
})

async function newShop() {
  const scene = await newScene()
  const { tenantId, clock } = scene
  const tag = async (uuid: string, hash = hashOf(0)) => {
    await scene.upload('https://a.example/', uuid)
    await scene.tag({ tagPicture: async () => ({ ...tagged, copy: { ...pictureCopy, hash } }) }, { tenantId, uuid })
    clock.now += 1000
  }
  const same = async (uuid: string) => parseSame((await getGarment(db, tenantId, uuid)).same)?.uuid
  const { upload, tag: run } = scene
  return { tenantId, clock, upload, run, tag, same, deps: { ...scene.deps, limits: uploadLimits } }
}

describe('a garment with the same picture as another one', () => {
  it.each([
    ['the same picture', hashOf(0), 'a'],
    ['four other bits', hashOf(4), 'a'],
    ['five other bits', hashOf(5), undefined],
    ['a colour one level lighter', hashOf(4, 1), 'a'],
    ['a colour one level darker', hashOf(0, -1), 'a'],
    ['a colour two levels lighter', hashOf(0, 2), undefined],
    ['a colour two levels darker', hashOf(0, -2), undefined],
  ])('is named by it if it has %s', async (_, hash, expected) => {
    const shop = await newShop()
    await shop.tag('a')
    await shop.tag('b', hash)
    expect([await shop.same('a'), await shop.same('b')]).toEqual([undefined, expected])
  })

  it('names the newest of several, never itself, and none of another tenant', async () => {
    const [shop, other] = [await newShop(), await newShop()]
    for (const uuid of ['a', 'b', 'c']) await shop.tag(uuid)
    expect(await shop.same('c')).toBe('b')
    await db.update(garments).set({ dueAt: 1, tries: 0 }).where(isGarment(shop.tenantId, 'c'))
    await shop.tag('c')
    expect(await shop.same('c')).toBe('b')
    await other.tag('c')
    expect(await other.same('c')).toBe(undefined)
  })

  it('says so, with the title of the other one, in the answer, in lists and in exports', async () => {
    const shop = await newShop()
    await shop.tag('a')
    await db
      .update(garments)
      .set({ attribute: '{"Title":"Blue \\"wave\\" jumper"}' })
      .where(isGarment(shop.tenantId, 'a'))
    await shop.tag('b')
    const note = 'The image is the same as that of the garment "a" (Blue "wave" jumper), or nearly the same.'
    const garment = await getGarment(db, shop.tenantId, 'b')
    expect(toGarmentResponse(garment, undefined).notes.at(-1)).toBe(note)
    const exported = await exportGarments(db, shop.tenantId, { limit: 9, cursor: undefined })
    const notes = exported.rows.map((row) => toExportResponse(row, undefined).notes.includes(note))
    expect(exported.rows.map(({ uuid }, i) => [uuid, notes[i]])).toEqual([
      ['a', false],
      ['g', false],
      ['b', true],
    ])
    const list = await listGarments(db, shop.tenantId, { limit: 9, cursor: undefined, status: 'complete' })
    expect(list.garments.map(({ uuid, same }) => [uuid, parseSame(same)])).toEqual([
      ['b', { uuid: 'a', title: 'Blue "wave" jumper', name: 'Blue "wave" jumper' }],
      ['a', null],
    ])
  })

  it('does not name one that is in the bin, was deleted or has another picture by now', async () => {
    const shop = await newShop()
    for (const uuid of ['a', 'b']) await shop.tag(uuid)
    const { tenantId, deps, clock } = shop
    await binGarment(deps, tenantId, 'a', clock.now, someone)
    expect(await shop.same('b')).toBe(undefined)
    await shop.tag('c')
    expect(await shop.same('c')).toBe('b')
    await restoreGarment(deps, tenantId, 'a', clock.now, someone)
    expect(await shop.same('b')).toBe('a')
    await db.update(garments).set({ pictureHash: 0 }).where(isGarment(tenantId, 'a'))
    expect(await shop.same('b')).toBe(undefined)
    await deleteGarment(deps, tenantId, 'b', clock.now, someone)
    expect(await shop.same('c')).toBe(undefined)
  })

  it('names the first of its pictures that is tagged', async () => {
    const further = pictureAt('https://a.example/back.jpg', 'back')
    const scene = await newScene('https://a.example/', {}, [further])
    const { tenantId } = scene
    const copy = (hash: PictureHash) => ({ ...pictureCopy, hash })
    const back = { kind: 'back', size: [100, 100] } as const
    const evidence = { heads: {}, colour: {}, kind: 'back', trust: 1, isDark: false } as never
    await scene.tag({
      tagPicture: async () => ({ ...tagged, copy: copy(hashOf(0)) }),
      examinePicture: async () => ({ ...back, tagged: { evidence, copy: copy(hashOf(20)), hasCard: false } }),
    })
    await scene.upload('https://a.example/', 'b')
    const alone = async (hash: PictureHash) => {
      await db.update(garments).set({ dueAt: 1, tries: 0 }).where(isGarment(tenantId, 'b'))
      const tagPicture = async () => ({ ...tagged, copy: copy(hash) })
      const examinePicture = async () => ({ ...back, tagged: { evidence, copy: copy(hash), hasCard: false } })
      await scene.tag({ tagPicture, examinePicture }, { tenantId, uuid: 'b' })
      return parseSame((await getGarment(db, tenantId, 'b')).same)?.uuid
    }
    expect([await alone(hashOf(0)), await alone(hashOf(20))]).toEqual(['g', undefined])
  })
})

it('the pages of a garment and of its review, and the list, lead to the other one', async () => {
  const { tenantId, merchant } = await newTenant()
  const session = { Origin: 'http://service.test', ...(await sessionOf(merchant.id)) }
  const hash = { pictureHash: 7, pictureColours: 7 }
  const tag = { ...machineTag, Pattern: 'Plain', 'Pattern Confidence': 'Low' }
  await putReviewed(databaseOf(tenantId), tenantId, ['Pattern'])
  await insertGarment(tenantId, 'a', { ...hash, attribute: '{"Title":"<b>Coat"}' })
  await insertGarment(tenantId, 'b', { ...hash, sameAs: 'a', tag })
  await insertGarment(tenantId, 'c', { ...hash, pictureHash: 8, sameAs: 'gone' })
  const untitled = crypto.randomUUID()
  await insertGarment(tenantId, untitled, { ...hash, number: 41 })
  await insertGarment(tenantId, 'd', { ...hash, sameAs: untitled })
  const page = async (path: string) => await (await raw('GET', path, session)).text()
  expect(await page('/dashboard/garment?uuid=d')).toMatch(new RegExp(`uuid=${untitled}[^"]*">G-41</a>`))
  const [link, notes] = [
    /href="\/dashboard\/garment\?uuid=a[^"]*">&lt;b&gt;Coat<\/a>/,
    /The image is the same as that of/,
  ]
  expect(await page('/dashboard/garments')).toMatch(new RegExp(`Same picture as <a ${link.source}`))
  const ofB = await page('/dashboard/garment?uuid=b')
  expect(ofB).toMatch(link)
  // Only in the answer of the API, and in what its button copies.
  expect(ofB.split(notes)).toHaveLength(3)
  expect(
    (await raw('POST', '/dashboard/review/next', session, new URLSearchParams())).headers.get('location'),
  ).toContain('uuid=b')
  expect(await page('/dashboard/review?uuid=b')).toMatch(link)
  for (const uuid of ['a', 'c']) expect(await page(`/dashboard/garment?uuid=${uuid}`)).not.toMatch(notes)
})

const isGarment = (tenantId: string, uuid: string) => and(eq(garments.tenantId, tenantId), eq(garments.uuid, uuid))

it('a picture is compared with the newest 1,000 of a tenant, out of an index alone, without another row written', async () => {
  const shop = await newShop()
  const { tenantId } = shop
  const count = async (uuid: string) => {
    const { DB, counts } = countDatabase(bindings.DB)
    await shop.upload('https://a.example/', uuid)
    const tagPicture = async () => ({ ...tagged, copy: { ...pictureCopy, hash: hashOf(0) } })
    await shop.run({ db: openDatabase(DB), tagPicture }, { tenantId, uuid })
    shop.clock.now += 10_000
    return counts
  }
  await shop.tag('oldest', hashOf(30))
  const few = await count('first')
  // Uploaded after the first one.
  await db.run(sql`
    WITH RECURSIVE numbers(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < ${comparedGarments - 1})
    INSERT INTO garments (tenant_id, uuid, number, row_bytes, attribute, origin, status, revision, created_at, ended_at,
      result, picture_hash, picture_colours)
    SELECT tenant_id, 'n' || i, 100000 + i, 0, attribute, origin, status, 'p' || i, created_at + i, ended_at, result,
      (1 << 62) + i, picture_colours
    FROM garments, numbers WHERE tenant_id = ${tenantId} AND uuid = 'first'`)
  const many = await count('last')
  expect(await shop.same('last')).toBe('first')
  expect([many.rowsWritten, many.statements]).toEqual([few.rowsWritten, few.statements])
  expect(many.rowsRead - few.rowsRead).toBeLessThanOrEqual(comparedGarments + levelCount + 1)
  // The first one is beyond the newest 1,000 now.
  await db.delete(garments).where(isGarment(tenantId, 'last'))
  await db.update(garments).set({ createdAt: 0 }).where(isGarment(tenantId, 'oldest'))
  await shop.tag('other', hashOf(30))
  await shop.tag('later')
  expect([await shop.same('other'), await shop.same('later')]).toEqual([undefined, undefined])
})
