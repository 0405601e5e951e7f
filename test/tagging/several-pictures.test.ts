import { and, eq } from 'drizzle-orm'
import { keyOfAnnotated } from '../../src/garments/pictures/stored-copy.ts'
import { describe, expect, it } from 'vitest'
import { getGarment, toGarmentResponse } from '../../src/garments/garment.ts'
import { type GivenPicture, pictureAt } from '../../src/garments/pictures/garment-picture.ts'
import { removeExpiredGarments } from '../../src/garments/remove-expired-garments.ts'
import { removeUnusedCopies } from '../../src/garments/pictures/unused-copies.ts'
import { deleteGarment } from '../../src/garments/delete-garment.ts'
import { retagStatement } from '../../src/garments/transitions.ts'
import { ImageError, NoRoomError } from '../../src/platform/outbound/fetch-image.ts'
import type { TaggingDeps } from '../../src/tagging/deps.ts'
import { PictureError } from '../../src/vision/picture-error.ts'
import type { ExaminedPicture } from '../../src/vision/tag-picture.ts'
import { pictures as storedPictures } from '../../src/platform/db/schema.ts'
import { openDatabase } from '../../src/platform/db/database.ts'
import { bindings, someone } from '../service.ts'
import { countDatabase } from '../support/count-database.ts'
import { db, newScene, startMs, tagged } from './scene.ts'
import { pictureCopy } from '../support/picture-copy.ts'

const pictures = bindings.PICTURES

const front = 'https://a.example/front.jpg'
const at = (url: string, kind: GivenPicture['kind'] = null) => ({ ...pictureAt(url, kind), url })
const back = at('https://a.example/back.jpg', 'back')
const label = at('https://a.example/label.jpg', 'label')
const worn = at('https://a.example/worn.jpg')

const evidence = { heads: {}, colour: {}, trust: 1, isDark: false }

/** What a run finds in each picture, by its address. */
const found: Readonly<Record<string, ExaminedPicture>> = {
  [front]: examined('front', 1),
  [back.url]: examined('back', 2),
  [label.url]: { kind: 'label', size: [30, 40] },
  [worn.url]: examined('worn', 3),
}

function examined(kind: 'front' | 'back' | 'worn', byte: number, hasCard = false): ExaminedPicture {
  const copy = { ...pictureCopy, jpeg: new Uint8Array([0xff, 0xd8, byte]) }
  return { kind, size: [100, 200], tagged: { evidence: { ...evidence, kind } as never, copy, hasCard } }
}

/** A run that fetches the address as bytes and reads what was found there; `faults` are thrown instead. */
function reads(
  faults: Readonly<Record<string, Error>> = {},
  pages: Readonly<Record<string, ExaminedPicture>> = found,
): Partial<TaggingDeps> & { readonly fetched: string[]; readonly known: unknown[] } {
  const [fetched, known]: [string[], unknown[]] = [[], []]
  const urlOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
  /** What is wrong with a picture shows once it is read; anything else, when it is fetched. */
  const throwAt = (url: string, isRead: boolean) => {
    const fault = faults[url]
    if (fault !== undefined && fault instanceof PictureError === isRead) throw fault
  }
  return {
    fetched,
    known,
    async fetchImage(url) {
      fetched.push(url)
      throwAt(url, false)
      return Uint8Array.from(new TextEncoder().encode(url))
    },
    async examinePicture(bytes) {
      const url = urlOf(bytes)
      throwAt(url, true)
      const page = pages[url]
      if (page === undefined) throw new Error(`Nothing is known of ${url}`)
      return page
    },
    async readLabel(bytes) {
      const url = urlOf(bytes)
      throwAt(url, true)
      const page = pages[url]
      if (page === undefined) throw new Error(`Nothing is known of ${url}`)
      return { hasText: true, values: {}, size: page.size }
    },
    async tagPicture(bytes, hints) {
      throwAt(urlOf(bytes), true)
      known.push([urlOf(bytes), hints.kind, hints.others?.map(({ kind }) => kind)])
      return tagged
    },
  }
}

const newGarment = async (...further: GivenPicture[]) => await newScene(front, {}, further)

type Scene = Awaited<ReturnType<typeof newGarment>>

const answerOf = async ({ tenantId }: Scene) => toGarmentResponse(await getGarment(db, tenantId, 'g'), undefined)

const keysOf = async ({ tenantId }: Scene) =>
  (await pictures.list({ prefix: `copies/${tenantId}/` })).objects.map(({ key }) => key.split('/')[2])

const host503 = new ImageError('passing', 'host_status', { status: 503 })
const noImage = new PictureError('no_pixels')

describe('a garment with several pictures', () => {
  it('is tagged in one run, its first picture last, and answers all of them in their order', async () => {
    const scene = await newGarment(back, label, worn)
    const run = reads()
    expect(await scene.tag(run)).toEqual({ retry: false })
    expect(run.fetched).toEqual([back.url, label.url, worn.url, front])
    expect(run.known).toEqual([[front, 'front', ['back', 'worn']]])
    const { images, annotated_img, complete } = await answerOf(scene)
    expect(complete).toBe(true)
    expect(images.map(({ kind, width, failure_code }) => [kind, width, failure_code])).toEqual([
      ['front', 100, ''],
      ['back', 100, ''],
      ['label', 30, ''],
      ['worn', 100, ''],
    ])
    expect(images.map(({ original_img }) => original_img)).toEqual([front, back.url, label.url, worn.url])
    expect(annotated_img).toBe(images[0]?.annotated_img)
    expect(images[2]?.annotated_img).toBe('')
    const addresses = images.flatMap(({ annotated_img: address }) =>
      address === '' ? [] : [keyOfAnnotated(scene.tenantId, address.split('/').at(-1) ?? '').split('/')[2]],
    )
    expect((await keysOf(scene)).sort()).toEqual(addresses.sort())
    expect(new Set(images.map(({ id }) => id)).size).toBe(4)
  })

  it('has the bytes of one of its pictures in memory at a time', async () => {
    const scene = await newGarment(back, label, worn)
    const run = reads()
    const given: ArrayBufferLike[] = []
    const heldBefore: number[] = []
    const held = () => given.filter((buffer) => buffer.byteLength > 0).length
    const fetchImage: TaggingDeps['fetchImage'] = async (...request) => {
      heldBefore.push(held())
      const bytes = (await run.fetchImage?.(...request)) ?? new Uint8Array()
      given.push(bytes.buffer)
      return bytes
    }
    await scene.tag({ ...run, fetchImage })
    expect([heldBefore, held()]).toEqual([[0, 0, 0, 0], 0])
  })

  it('takes one statement and one written row more for each further picture', async () => {
    const costs = await Promise.all(
      [[], [back, label, worn]].map(async (further) => {
        const scene = await newGarment()
        await scene.tag(reads())
        const { DB, counts } = countDatabase(bindings.DB)
        const other = await newScene(front, {}, further)
        await other.tag({ ...reads(), db: openDatabase(DB) })
        expect(await other.garment()).toMatchObject({ status: 'complete' })
        return [counts.statements, counts.rowsWritten]
      }),
    )
    const [[statements = 0, rows = 0] = [], several] = costs
    expect(several).toEqual([statements + 3, rows + 3])
  })

  it('lists a further picture that fails with its code, and is complete without it', async () => {
    const scene = await newGarment(back, worn)
    await scene.tag(reads({ [back.url]: noImage, [worn.url]: new ImageError('permanent', 'image_empty') }))
    const { images, complete } = await answerOf(scene)
    expect(complete).toBe(true)
    expect(images.map(({ failure_code, width }) => [failure_code, width])).toEqual([
      ['', 100],
      ['no_pixels', null],
      ['image_empty', null],
    ])
  })

  it('is about the next picture where the first one fails, and fails only where all of them do', async () => {
    const scene = await newGarment(back, worn)
    await scene.tag(reads({ [front]: noImage }))
    const { images, annotated_img } = await answerOf(scene)
    expect(images.map(({ failure_code }) => failure_code)).toEqual(['no_pixels', '', ''])
    expect([images[0]?.annotated_img, annotated_img]).toEqual(['', images[1]?.annotated_img])
    expect(await scene.garment()).toMatchObject({ status: 'complete' })

    const other = await newGarment(back, label)
    await other.tag(reads({ [front]: noImage, [back.url]: new ImageError('permanent', 'image_empty') }))
    const answer = await answerOf(other)
    expect([answer.status, answer.failure_code, answer.annotated_img]).toEqual(['failed', 'no_pixels', ''])
    expect(answer.images.map(({ failure_code }) => failure_code)).toEqual(['no_pixels', 'image_empty', ''])
  })

  it('waits for a further picture whose host fails for a while, and ends without it after the last try', async () => {
    const scene = await newGarment(back)
    const outcomes = []
    for (let tries = 0; tries < 5; tries++) outcomes.push(await scene.tag(reads({ [back.url]: host503 })))
    expect(outcomes.map(({ retry }) => retry)).toEqual([true, true, true, true, false])
    const { images, complete } = await answerOf(scene)
    expect([complete, images.map(({ failure_code }) => failure_code)]).toEqual([true, ['', 'host_status']])
  })

  it('loses no try where no memory is left for one of its pictures', async () => {
    const scene = await newGarment(back, worn)
    for (let i = 0; i < 10; i++)
      expect(await scene.tag(reads({ [worn.url]: new NoRoomError() }))).toEqual({ retry: true, delaySeconds: 2 })
    expect(await scene.garment()).toMatchObject({ status: 'queuing', tries: 0, claimId: null })
    await scene.tag(reads())
    expect(await scene.garment()).toMatchObject({ status: 'complete' })
  })

  it('has a label that was not declared read, and tags the garment in another picture', async () => {
    const scene = await newScene(at('https://a.example/tag.jpg'), {}, [worn])
    const run = reads({}, { ...found, 'https://a.example/tag.jpg': { kind: 'label', size: [30, 40] } })
    const mayBeLabel: boolean[] = []
    const tagPicture: TaggingDeps['tagPicture'] = async (bytes, hints, mayBe) => {
      mayBeLabel.push(mayBe)
      return new TextDecoder().decode(bytes).endsWith('tag.jpg') && mayBe ? null : await Promise.resolve(tagged)
    }
    await scene.tag({ ...run, tagPicture })
    const { images, complete } = await answerOf(scene)
    expect([complete, mayBeLabel]).toEqual([true, [true, false]])
    expect(images.map(({ kind, annotated_img: address }) => [kind, address === ''])).toEqual([
      ['label', true],
      ['worn', false],
    ])

    const last = await newGarment(at('https://a.example/tag.jpg'))
    const read: number[] = []
    await last.tag({
      ...run,
      readLabel: async (bytes) => (read.push(bytes.length), { hasText: true, values: {}, size: [30, 40] as const }),
    })
    expect(read.length).toBe(1)
    expect((await answerOf(last)).label).toEqual({ proof: {} })
  })

  it('is tagged in its only picture even if that looks like a label', async () => {
    const scene = await newGarment()
    const mayBeLabel: boolean[] = []
    await scene.tag({ ...reads(), tagPicture: async (_, __, mayBe) => (mayBeLabel.push(mayBe), tagged) })
    expect([mayBeLabel, (await answerOf(scene)).complete]).toEqual([[false], true])
  })

  it('is measured in the picture with a card', async () => {
    const scene = await newGarment(back, worn)
    const run = reads({}, { ...found, [worn.url]: examined('worn', 3, true) })
    await scene.tag(run)
    expect(run.known).toEqual([[worn.url, 'worn', ['back', 'front']]])
    const { images, annotated_img } = await answerOf(scene)
    expect(annotated_img).toBe(images[0]?.annotated_img)
    expect(images.every(({ annotated_img: address }) => address !== '')).toBe(true)
  })

  it('has new pictures after it was tagged again, and the former ones are removed a day later', async () => {
    const scene = await newGarment(back)
    await scene.tag(reads())
    const before = await keysOf(scene)
    await db.batch([retagStatement(db, [await scene.garment()], scene.clock.now)])
    await scene.tag(reads())
    const after = await keysOf(scene)
    expect([before.length, after.length]).toEqual([2, 4])
    await removeUnusedCopies({ db, pictures }, startMs + 48 * 3_600_000, 1000)
    expect((await keysOf(scene)).sort()).toEqual(after.filter((key) => !before.includes(key)).sort())
  })

  it('reads a label in the rotation that a person chose', async () => {
    const scene = await newGarment(label)
    const isLabel = and(eq(storedPictures.tenantId, scene.tenantId), eq(storedPictures.kind, 'label'))
    await db.update(storedPictures).set({ rotation: 90 }).where(isLabel)
    const chosen: unknown[] = []
    const readLabel = async (_: Uint8Array, rotation?: number) => {
      chosen.push(rotation)
      return await Promise.resolve({ hasText: true, values: {}, size: [40, 30] as const })
    }
    await scene.tag({ ...reads(), readLabel })
    expect(chosen).toEqual([90])
  })

  it('keeps the note that the service rotated it after it is tagged again', async () => {
    const scene = await newGarment()
    const { details } = tagged
    const rotated = { ...tagged, chosenRotation: 90, details: { ...details, notes: ['rotated'] } } as const
    await scene.tag({ ...reads(), tagPicture: async () => rotated })
    await db.batch([retagStatement(db, [await scene.garment()], scene.clock.now)])
    await scene.tag(reads())
    const { notes, images } = await answerOf(scene)
    expect(notes).toContain('The image lay on its side or upside down, so it was rotated.')
    expect(images[0]?.rotated).toBe(90)
  })

  it.each(['deleted', 'expired'] as const)('leaves nothing in storage once it is %s', async (how) => {
    const scene = await newGarment(back, worn)
    await scene.tag(reads())
    expect((await keysOf(scene)).length).toBe(3)
    if (how === 'deleted') await deleteGarment(scene.deps, scene.tenantId, 'g', scene.clock.now, someone)
    else await removeExpiredGarments({ db, pictures }, [{ id: scene.tenantId, beforeMs: startMs + 1 }], 10)
    expect(await keysOf(scene)).toEqual([])
  })
})
