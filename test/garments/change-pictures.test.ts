import { and, eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { addPictures, changePictures, replacePictures } from '../../src/garments/pictures/change-pictures.ts'
import { fileIdsOf, parsePictures, pictureAt } from '../../src/garments/pictures/garment-picture.ts'
import { fixedRowBytes } from '../../src/platform/db/count-rows.ts'
import { storedFiles, tenantCounters, unreferencedFiles, unusedCopies } from '../../src/platform/db/schema.ts'
import { call, databaseOf, newTenant, raw, someone, uploadLimits } from '../service.ts'
import { db, failsWith, newScene, tagged } from '../tagging/scene.ts'
import { correctGarment } from '../../src/garments/corrections/correct-garment.ts'
import { ImageError } from '../../src/platform/outbound/fetch-image.ts'
import { findStored } from '../../src/accounts/quotas.ts'
import { getGarment } from '../../src/garments/garment.ts'

const [front, back, label] = ['front', 'back', 'label'].map((name) => `https://a.example/${name}.jpg`) as [
  string,
  string,
  string,
]

async function newClient() {
  const scene = await newScene(front)
  const { taggingQueue, webhookQueue } = scene.deps
  const deps = { db, taggingQueue, webhookQueue, limits: uploadLimits }
  const change = async (
    images: Parameters<typeof changePictures>[2]['change'],
    rest: { ifMatch?: string; maxWaiting?: number } = {},
  ) =>
    await changePictures(
      { ...deps, limits: { ...uploadLimits, maxWaiting: rest.maxWaiting ?? 1000 } },
      scene.tenantId,
      { uuid: 'g', change: images, by: someone, ifMatch: rest.ifMatch },
      scene.clock.now,
    )
  const stored = async () => await getGarment(db, scene.tenantId, 'g')
  const read = {
    examinePicture: async () => ({ kind: 'back', size: [1, 1] }) as const,
    readLabel: async () => ({ hasText: false, values: {}, size: [1, 1] }) as const,
  }
  return {
    ...scene,
    change,
    stored,
    idOf: async (url: string) => parsePictures(await stored()).find((picture) => picture.url === url)?.id,
    urls: async () => parsePictures(await stored()).map(({ url }) => url),
    tagAll: async () => await scene.tag(read),
  }
}

describe('a change of the pictures of a garment', () => {
  it('replaces the list by ids and new addresses; the garment keeps its corrections, is tagged again and sent again', async () => {
    const client = await newClient()
    await client.enableWebhook()
    await client.tag()
    const deps = { ...client.deps, quotas: uploadLimits.quotas }
    const patch = { tag: { Colour: 'Navy' }, measurements: {}, attribute: { Brand: 'Ann' } }
    const by = { kind: 'member', id: 'ann', name: 'Ann' } as const
    await correctGarment(deps, client.tenantId, { uuid: 'g', patch, by }, client.clock.now)
    const before = await client.stored()
    client.clock.now += 1000
    await client.change(
      replacePictures([
        { url: back, kind: 'back' },
        { id: await client.idOf(front), kind: 'front' },
      ]),
    )
    expect(await client.urls()).toEqual([back, front])
    expect(await client.garment()).toMatchObject({ status: 'queuing', endedAt: null, result: null, tries: 0 })
    expect(await client.waiting()).toBe(1)
    await client.tagAll()
    const after = await client.stored()
    expect(after).toMatchObject({ status: 'complete', corrections: before.corrections, attribute: before.attribute })
    expect(after.revision).not.toBe(before.revision)
    expect([await client.waiting(), (await client.delivery())?.createdAt]).toEqual([0, client.clock.now])
    const copyId = parsePictures(before)[0]?.copyId ?? ''
    const isFormer = and(eq(unusedCopies.tenantId, client.tenantId), eq(unusedCopies.copyId, copyId))
    expect(await db.select().from(unusedCopies).where(isFormer)).toHaveLength(1)
  })

  it('adds one at the end, which nothing changes if it is there already', async () => {
    const client = await newClient()
    await client.tag()
    await client.change(addPictures([pictureAt(label, 'label')]))
    expect(await client.urls()).toEqual([front, label])
    const { revision } = await client.stored()
    await client.change(addPictures([pictureAt(label, 'label')]))
    expect(await client.stored()).toMatchObject({ revision, status: 'queuing' })
  })

  it('of a garment that is being tagged leaves nothing of that run', async () => {
    const client = await newClient()
    await client.tag({
      tagPicture: async () => {
        await client.change(addPictures([pictureAt(label, 'label')]))
        return tagged
      },
    })
    expect(await client.garment()).toMatchObject({ status: 'queuing', result: null })
    expect(await client.waiting()).toBe(1)
    await client.tagAll()
    expect(await client.garment()).toMatchObject({ status: 'complete' })
    expect([await client.waiting(), await client.counts()]).toEqual([0, { complete: 1 }])
  })

  it('restarts a garment that failed', async () => {
    const client = await newClient()
    await client.tag(failsWith(new ImageError('permanent', 'image_empty')))
    await client.change(replacePictures([{ url: back }]))
    await client.tag()
    expect(await client.garment()).toMatchObject({ status: 'complete', failure: null, pictureList: [{ url: back }] })
  })

  it('counts the bytes of the pictures, and waits as an upload does', async () => {
    const client = await newClient()
    await client.tag()
    const isTenant = eq(tenantCounters.tenantId, client.tenantId)
    const bytes = async () => (await db.select().from(tenantCounters).where(isTenant))[0]?.rowBytes ?? 0
    const before = await bytes()
    await client.change(addPictures([pictureAt(label, 'label')]))
    const { pictures, audit_entries: entry } = fixedRowBytes
    expect((await bytes()) - before).toBe(label.length + pictures + entry)
    await client.change(replacePictures([{ id: await client.idOf(front) }]))
    // The second change is counted in the same audit entry.
    expect(await bytes()).toBe(before + entry)
    await client.upload(back, 'other')
    await expect(client.change(addPictures([pictureAt(back)]), { maxWaiting: 1 })).rejects.toMatchObject({
      code: 'too_many_waiting',
    })
  })

  it("subtracts the crops of the garment's label", async () => {
    const client = await newClient()
    await client.tag()
    await client.change(addPictures([pictureAt(label, 'label')]))
    const Size = { value: 'M', confidence: 'High', box: [0, 0, 1, 1], crop: new Uint8Array(20) } as const
    const reading = { hasText: true, values: { Size }, size: [1, 1] } as const
    await client.tag({ readLabel: async () => reading })
    const used = async () => (await findStored(db, client.tenantId)).file_bytes
    expect(await used()).toBe(20)
    await client.change(replacePictures([{ id: await client.idOf(front) }]))
    expect([await used(), (await client.stored()).cropBytes]).toEqual([0, 0])
  })

  it.each([
    ['an id that the garment does not have', replacePictures([{ id: 'x' }]), 'images.0.id: the garment has no such'],
    [
      'the same picture twice',
      replacePictures([{ url: back }, { url: back }]),
      'images: must not have the same picture',
    ],
    [
      'nine pictures',
      replacePictures(Array.from({ length: 9 }, (_, i) => ({ url: `${back}${i}` }))),
      'images: must be at most 8 pictures',
    ],
  ])('is refused for %s', async (_, change, problem) => {
    const client = await newClient()
    await expect(client.change(change)).rejects.toMatchObject({ problems: [expect.stringContaining(problem)] })
    expect(await client.urls()).toEqual([front])
  })

  it('is refused where somebody else has changed the garment since', async () => {
    const client = await newClient()
    await expect(client.change(replacePictures([{ url: back }]), { ifMatch: '"x"' })).rejects.toMatchObject({
      status: 412,
    })
  })
})

describe('the pictures of a garment, by the API', () => {
  const jpeg = (byte: number) => Uint8Array.from([255, 216, 255, byte])
  const form = (bytes: Uint8Array, kind: string) => {
    const parts = [
      `--b\r\nContent-Disposition: form-data; name="kind"\r\n\r\n${kind}\r\n`,
      '--b\r\nContent-Disposition: form-data; name="image"; filename="a.jpg"\r\n\r\n',
    ]
    return new Blob([...parts, bytes, '\r\n--b--\r\n'])
  }

  it('can be added as a file, whose former ones are removed once no picture needs them', async () => {
    const { tenantId, auth } = await newTenant()
    await call('POST', '/garment-tagging/upload', auth, { uuid: 'g', image_url: 'http://127.0.0.1:9/x.jpg' })
    const headers = { ...auth, 'Content-Type': 'multipart/form-data; boundary=b' }
    const add = async (byte: number) => {
      const body = form(jpeg(byte), 'label')
      const length = { 'Content-Length': String(body.size) }
      return await raw('POST', '/garment-tagging/pictures?uuid=g', { ...headers, ...length }, body)
    }
    expect([(await add(1)).status, (await add(1)).status, (await add(2)).status]).toEqual([200, 200, 200])
    const tenantDb = databaseOf(tenantId)
    const garment = await getGarment(tenantDb, tenantId, 'g')
    const files = fileIdsOf(parsePictures(garment))
    expect(files).toHaveLength(2)
    const idsIn = async (table: typeof storedFiles | typeof unreferencedFiles) =>
      (await tenantDb.select().from(table).where(eq(table.tenantId, tenantId))).map(({ fileId }) => fileId)
    expect([(await idsIn(storedFiles)).sort(), await idsIn(unreferencedFiles)]).toEqual([files.toSorted(), []])
    const kept = { images: [{ id: parsePictures(garment)[2]?.id }] }
    const { status, body } = await call('PATCH', '/garment-tagging/garment?uuid=g', auth, kept)
    expect([status, body.data['images']]).toMatchObject([200, [{ kind: 'label' }]])
    expect(await idsIn(unreferencedFiles)).toEqual([files[0]])
  })

  it('are refused beside corrections, without id and url, and at addresses that must not be fetched', async () => {
    const { auth } = await newTenant()
    await call('POST', '/garment-tagging/upload', auth, { uuid: 'g', image_url: 'http://127.0.0.1:9/x.jpg' })
    const problems = async (body: object) =>
      (await call('PATCH', '/garment-tagging/garment?uuid=g', auth, body)).body.error
    const url = 'http://127.0.0.1:9/y.jpg'
    expect(await problems({ images: [{ url }], tag: { Colour: 'Navy' } })).toEqual([
      'images: must be alone in the body',
    ])
    expect(await problems({ images: [{ kind: 'back' }] })).toEqual(['images.0: must have an id or a url'])
    expect(await problems({ images: [{ url: 'ftp://a.example/x' }] })).toEqual([
      'images.0.url: must be an http or https URL',
    ])
  })
})
