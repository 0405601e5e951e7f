import { describe, expect, it } from 'vitest'
import {
  changePictures,
  replacePictures,
  rotateLine,
  rotatePictures,
  splitGarment,
} from '../../src/garments/pictures/change-pictures.ts'
import { binQuery } from '../../src/garments/bin.ts'
import { garmentVersion, getGarment, toGarmentResponse } from '../../src/garments/garment.ts'
import { findStored } from '../../src/accounts/quotas.ts'
import { parsePictures } from '../../src/garments/pictures/garment-picture.ts'
import { call, databaseOf, newTenant, someone, uploadLimits } from '../service.ts'
import { db, newScene, startMs, tagged } from '../tagging/scene.ts'
import { insertGarment } from './review/complete-garment.ts'
import { rotate } from '../../src/vision/image/orientation.ts'

const at = (name: string) => ({ id: name, url: `https://a.example/${name}.jpg` })

/** Two complete garments: `old` with the pictures a and b, `new` with c and d. */
async function newPair() {
  const scene = await newScene()
  const { tenantId } = scene
  await insertGarment(tenantId, 'old', { pictures: [at('a'), at('b')], number: 7, createdAt: startMs })
  await insertGarment(tenantId, 'new', { pictures: [at('c'), at('d')], createdAt: startMs })
  const { taggingQueue, webhookQueue } = scene.deps
  const deps = { db, taggingQueue, webhookQueue, limits: uploadLimits }
  const ids = async (uuid: string) => parsePictures(await getGarment(db, tenantId, uuid)).map(({ id }) => id)
  return {
    ...scene,
    ids,
    patch: async (uuid: string, ...named: { uuid?: string; id: string }[]) =>
      await changePictures(
        deps,
        tenantId,
        {
          uuid,
          change: replacePictures(named),
          from: named.flatMap(({ uuid: from }) => from ?? []),
          by: someone,
        },
        scene.clock.now,
      ),
    split: async (newUuid: string, ...some: string[]) =>
      await splitGarment(
        deps,
        tenantId,
        { uuid: 'old', newUuid, ids: some, origin: 'https://s.example', by: someone },
        scene.clock.now,
      ),
    binned: async () => (await binQuery(db, tenantId, { limit: 5, nowMs: scene.clock.now })).map(({ uuid }) => uuid),
  }
}

describe('a merge', () => {
  it('moves pictures to the patched garment, which keeps its number, and both are tagged again', async () => {
    const pair = await newPair()
    const named = [{ id: 'a' }, { id: 'b' }, { uuid: 'new', id: 'd' }]
    const before = await getGarment(db, pair.tenantId, 'new')
    const merged = await pair.patch('old', ...named)
    expect(merged).toMatchObject({ uuid: 'old', number: 7, status: 'queuing' })
    expect([await pair.ids('old'), await pair.ids('new')]).toEqual([['a', 'b', 'd'], ['c']])
    const giver = await getGarment(db, pair.tenantId, 'new')
    expect([giver.status, giver.revision === before.revision]).toEqual(['queuing', false])
    expect(await pair.waiting()).toBe(3)
    const version = garmentVersion(merged)
    expect(garmentVersion(await pair.patch('old', ...named))).toBe(version)
  })

  it('puts a garment into the bin that has no pictures left, and changes nothing when repeated', async () => {
    const pair = await newPair()
    const named = [...['a', 'b'].map((id) => ({ id })), ...['c', 'd'].map((id) => ({ uuid: 'new', id }))]
    await pair.patch('old', ...named)
    expect([await pair.ids('old'), await pair.binned()]).toEqual([['a', 'b', 'c', 'd'], ['new']])
    await pair.patch('old', ...named)
    expect(await pair.ids('old')).toEqual(['a', 'b', 'c', 'd'])
  })

  it('is refused while one of both is being tagged, and for pictures that the other does not have', async () => {
    const pair = await newPair()
    await expect(pair.patch('old', { id: 'a' }, { uuid: 'new', id: 'x' })).rejects.toMatchObject({
      problems: ['images.1.id: that garment has no such picture'],
    })
    const [waiting] = await pair.ids('g')
    await expect(pair.patch('old', { id: 'a' }, { uuid: 'g', id: waiting ?? '' })).rejects.toMatchObject({
      status: 409,
      problems: [expect.stringContaining('g is still being tagged')],
    })
    await expect(pair.patch('g', { id: waiting ?? '' }, { uuid: 'old', id: 'a' })).rejects.toMatchObject({
      status: 409,
    })
    expect([await pair.ids('old'), await pair.ids('g')]).toEqual([['a', 'b'], [waiting]])
  })

  it('takes no picture of another tenant', async () => {
    const [pair, other] = [await newPair(), await newPair()]
    await insertGarment(other.tenantId, 'foreign', { pictures: [at('f')] })
    await expect(pair.patch('old', { id: 'a' }, { uuid: 'foreign', id: 'f' })).rejects.toMatchObject({ status: 400 })
  })
})

describe('a split', () => {
  it('makes a draft with the next number, counts it, and changes nothing when repeated', async () => {
    const pair = await newPair()
    const before = await findStored(db, pair.tenantId)
    const made = await pair.split('third', 'b')
    expect(toGarmentResponse(made, undefined)).toMatchObject({
      uuid: 'third',
      number: 2,
      status: 'queuing',
      stage: 'draft',
      attribute: {},
      images: [{ id: 'b' }],
    })
    expect([await pair.ids('old'), await pair.ids('third')]).toEqual([['a'], ['b']])
    const after = await findStored(db, pair.tenantId)
    expect([after.garments - before.garments, await pair.waiting()]).toEqual([1, 3])
    expect(await pair.split('third', 'b')).toMatchObject({ revision: made.revision })
    await pair.tag({}, { tenantId: pair.tenantId, uuid: 'third' })
    expect((await getGarment(db, pair.tenantId, 'third')).status).toBe('complete')
  })

  it('leaves at least one picture, and is refused for a uuid that is taken', async () => {
    const pair = await newPair()
    await expect(pair.split('third', 'a', 'b')).rejects.toMatchObject({
      problems: ['images: at least one picture must stay'],
    })
    await expect(pair.split('third', 'x')).rejects.toMatchObject({ status: 400 })
    await expect(pair.split('new', 'b')).rejects.toMatchObject({ status: 409 })
    expect(await pair.ids('old')).toEqual(['a', 'b'])
  })
})

describe('a rotation', () => {
  it('is set by the id of a picture, with which the drawn lines rotate, and the picture is tagged so', async () => {
    const { auth, tenantId } = await newTenant()
    const own = databaseOf(tenantId)
    const by = { kind: 'member', id: 's', name: 'Ann' }
    const lines = {
      Chest: {
        ends: [
          [10, 20],
          [500, 20],
        ],
        at: 1,
        by,
      },
    }
    await insertGarment(tenantId, 'g', {
      pictures: [at('a')],
      corrections: JSON.stringify({ tag: {}, measurements: {}, lines }),
    })
    const rotate90 = async () => await call('PATCH', '/garment-tagging/garment?uuid=g', auth, { rotations: { a: 90 } })
    const { status, body } = await rotate90()
    expect([status, body.data['images']]).toMatchObject([200, [{ id: 'a', rotated: 90 }]])
    const { corrections } = await getGarment(own, tenantId, 'g')
    expect(JSON.parse(corrections ?? '')).toMatchObject({
      lines: {
        Chest: {
          ends: [
            [779, 10],
            [779, 500],
          ],
        },
      },
    })
    const version = garmentVersion(await getGarment(own, tenantId, 'g'))
    await rotate90()
    expect(garmentVersion(await getGarment(own, tenantId, 'g'))).toBe(version)
    const wrong = await call('PATCH', '/garment-tagging/garment?uuid=g', auth, { rotations: { x: 90 } })
    expect([wrong.status, wrong.body.error]).toEqual([400, ['rotations.x: the garment has no such picture']])
    const odd = await call('PATCH', '/garment-tagging/garment?uuid=g', auth, { rotations: { a: 45 } })
    expect(odd.status).toBe(400)
  })

  it('is told to the tagger', async () => {
    const scene = await newScene()
    const [picture] = (await scene.garment()).pictureList
    const { taggingQueue, webhookQueue } = scene.deps
    const deps = { db, taggingQueue, webhookQueue, limits: uploadLimits }
    const change = rotatePictures({ [picture?.id ?? '']: 270 })
    await changePictures(deps, scene.tenantId, { uuid: 'g', change, by: someone }, scene.clock.now)
    const hints: unknown[] = []
    await scene.tag({ tagPicture: async (_, hint) => (hints.push(hint.rotation), tagged) })
    expect(hints).toEqual([270])
  })

  it('is chosen by the tagger once, and answered', async () => {
    const scene = await newScene()
    const hints: unknown[] = []
    const tagPicture = async (_: Uint8Array, { rotation }: { rotation?: unknown }) => {
      hints.push(rotation)
      return { ...tagged, ...(rotation === undefined && { chosenRotation: 270 as const }) }
    }
    await scene.tag({ tagPicture })
    const garment = await scene.garment()
    expect(garment.pictureList.map(({ rotation }) => rotation)).toEqual([270])
    const { taggingQueue, webhookQueue } = scene.deps
    const deps = { db, taggingQueue, webhookQueue, limits: uploadLimits }
    const change = rotatePictures({ [garment.pictureList[0]?.id ?? '']: 0 })
    await changePictures(deps, scene.tenantId, { uuid: 'g', change, by: someone }, scene.clock.now)
    await scene.tag({ tagPicture })
    expect((await scene.garment()).pictureList.map(({ rotation }) => rotation)).toEqual([0])
    expect(hints).toEqual([undefined, 0])
  })

  it.each([90, 180, 270] as const)('of %i degrees moves lines as it moves pixels', (degrees) => {
    const data = new Uint8ClampedArray(4 * 12)
    const [width, height] = [4, 3]
    data[4 * (1 * width + 3)] = 200
    const picture = rotate({ width, height, data }, degrees)
    const [x, y] = rotateLine([3, 1, 0, 0], [width, height], degrees)
    expect(picture.data[4 * (y * picture.width + x)]).toBe(200)
  })
})
