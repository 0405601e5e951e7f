import { copyKey } from '../../src/garments/pictures/stored-copy.ts'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { openDatabase } from '../../src/platform/db/database.ts'
import { garments } from '../../src/platform/db/schema.ts'
import { ImageError, NoRoomError } from '../../src/platform/outbound/fetch-image.ts'
import { sweepGarments } from '../../src/tagging/sweep-garments.ts'
import type { TaggingDeps } from '../../src/tagging/deps.ts'
import { bindings } from '../service.ts'
import { wrapDatabase } from '../support/wrap-database.ts'
import { db, failsWith, hour, minute, newScene, noGarment, tagged } from './scene.ts'
import { storedCopy } from '../support/picture-copy.ts'

const noGarmentReason = 'No garment found in the image.'
const emptyImage = failsWith(new ImageError('permanent', 'image_empty'))
const hostIsDown = failsWith(new ImageError('passing', 'host_status', { status: 503 }))

/** A run that takes so long that another one fails the garment meanwhile; then something else happens. */
const losingLease = (scene: Awaited<ReturnType<typeof newScene>>, then = async () => {}) => ({
  async tagPicture() {
    scene.clock.now += 10 * minute
    await sweepGarments(scene.sweepDeps, scene.clock.now)
    await scene.tag(noGarment)
    await then()
    return tagged
  },
})

describe('a run on a garment', () => {
  it('ends it complete, with its picture stored and nothing left for the sweep', async () => {
    const scene = await newScene()
    expect(await scene.tag()).toEqual({ retry: false })
    const row = await scene.garment()
    expect(row).toMatchObject({ status: 'complete', tries: 1, dueAt: null, claimId: null, tag: tagged.tag })
    const picture = await bindings.PICTURES.get(copyKey(scene.tenantId, row.pictureList[0]?.copyId ?? ''))
    expect([await picture?.bytes(), picture?.httpMetadata?.contentType]).toEqual([storedCopy(), 'image/jpeg'])
    expect([await scene.counts(), await scene.waiting()]).toEqual([{ complete: 1 }, 0])
  })

  it('makes the delivery record with the result and enqueues its first attempt if the webhook is enabled', async () => {
    const scene = await newScene()
    await scene.enableWebhook()
    await scene.tag()
    const delivery = await scene.delivery()
    expect(delivery).toMatchObject({ garmentUuid: 'g', status: 'pending', attemptCount: 0, responseStatus: null })
    expect(scene.sent.webhook).toMatchObject([{ tenantId: scene.tenantId, attempt: 1 }])
  })

  it('makes no delivery record if the webhook is not enabled', async () => {
    const scene = await newScene()
    await scene.tag()
    expect([await scene.delivery(), scene.sent.webhook]).toEqual([undefined, []])
  })

  it.each([
    ['a picture that can never be fetched', emptyImage, 'The image is empty.'],
    ['a picture that cannot be tagged', noGarment, noGarmentReason],
  ])('fails it at once for %s, and notifies its receiver', async (_, fault, failureReason) => {
    const scene = await newScene()
    await scene.enableWebhook()
    expect(await scene.tag(fault)).toEqual({ retry: false })
    expect(await scene.garment()).toMatchObject({ status: 'failed', failureReason, dueAt: null })
    expect(scene.sent.webhook.length).toBe(1)
    expect([await scene.counts(), await scene.waiting()]).toEqual([{ failed: 1 }, 0])
  })

  it.each([
    ['the host is down', hostIsDown, 'The image host answered with HTTP 503. It was tried 5 times.'],
    [
      'the service itself is at fault',
      { tagPicture: () => Promise.reject(new Error('secret detail')) },
      'The service could not process this image; upload it again later.',
    ],
  ])('tries five times with growing pauses while %s, then fails it', async (_, fault, failureReason) => {
    const scene = await newScene()
    const outcomes = []
    for (let i = 0; i < 5; i++) outcomes.push(await scene.tag(fault))
    expect(outcomes).toEqual([
      ...[5, 20, 60, 120].map((delaySeconds) => ({ retry: true, delaySeconds })),
      { retry: false },
    ])
    expect(await scene.garment()).toMatchObject({ status: 'failed', failureReason })
  })

  it('loses no try where no memory was left for its picture', async () => {
    const scene = await newScene()
    for (let i = 0; i < 10; i++)
      expect(await scene.tag(failsWith(new NoRoomError()))).toEqual({ retry: true, delaySeconds: 2 })
    expect(await scene.garment()).toMatchObject({ status: 'queuing', tries: 0 })
  })

  it('loses no try where the networks cannot be read', async () => {
    const scene = await newScene()
    const loadNetwork = async () => await Promise.reject(new Error('no answer'))
    for (let i = 0; i < 10; i++) expect(await scene.tag({ loadNetwork })).toEqual({ retry: true, delaySeconds: 2 })
    expect(await scene.garment()).toMatchObject({ status: 'queuing', tries: 0 })
  })

  it('tags it once when its message comes twice, in turn or at once', async () => {
    const scene = await newScene()
    await scene.enableWebhook()
    let runs = 0
    const counting = { tagPicture: async () => (runs++, tagged) }
    await Promise.all([scene.tag(counting), scene.tag(counting)])
    await scene.tag(counting)
    expect([runs, scene.sent.webhook.length, await scene.counts()]).toEqual([1, 1, { complete: 1 }])
  })

  it('that lost its lease overwrites nothing of the next run', async () => {
    const scene = await newScene()
    await scene.tag(losingLease(scene))
    expect(await scene.garment()).toMatchObject({ status: 'failed', failureReason: noGarmentReason, result: null })
    expect([await scene.counts(), await scene.waiting()]).toEqual([{ failed: 1 }, 0])
  })

  it('does nothing for a garment that is gone', async () => {
    const scene = await newScene()
    await db.delete(garments).where(eq(garments.tenantId, scene.tenantId))
    expect(await scene.tag()).toEqual({ retry: false })
  })
})

describe('a garment that is uploaded again after it failed', () => {
  it('gets a new delivery when it completes', async () => {
    const scene = await newScene()
    await scene.enableWebhook()
    await scene.tag(noGarment)
    const first = await scene.delivery()
    await scene.upload('https://a.example/2')
    await scene.tag()
    const second = await scene.delivery()
    expect(second?.id).not.toBe(first?.id)
    expect([second?.status, second?.attemptCount, scene.sent.webhook.length]).toEqual(['pending', 0, 2])
  })

  it('is untouched by a message of the first upload', async () => {
    const scene = await newScene()
    await scene.tag(noGarment)
    await scene.upload('https://a.example/2')
    expect(await scene.tag({}, scene.message)).toEqual({ retry: false })
    expect(await scene.garment()).toMatchObject({ status: 'queuing', tries: 0 })
  })

  it('is untouched by a run of the first upload', async () => {
    const scene = await newScene()
    await scene.tag(losingLease(scene, async () => void (await scene.upload('https://a.example/2'))))
    expect([(await scene.garment()).status, await scene.waiting()]).toEqual(['queuing', 1])
  })
})

describe('a database that fails', () => {
  /** Fails from the moment `shouldFail` says so. */
  const failing = (shouldFail: () => boolean) => ({
    db: openDatabase(
      wrapDatabase(bindings.DB, async (run) => {
        if (shouldFail()) throw new Error('Network connection lost.')
        return await run()
      }),
    ),
  })

  it('while the result is stored costs neither the run nor a try, if it recovers within seconds', async () => {
    const scene = await newScene()
    let untilMs = Infinity
    const tagPicture = async () => ((untilMs = scene.clock.now + 5000), tagged)
    const faults = failing(() => untilMs < Infinity && scene.clock.now < untilMs)
    expect(await scene.tag({ ...faults, tagPicture })).toEqual({ retry: false })
    expect(await scene.garment()).toMatchObject({ status: 'complete', tries: 1 })
  })

  it('stores result, delivery and counts together or not at all', async () => {
    const scene = await newScene()
    await scene.enableWebhook()
    const realBatch = bindings.DB.batch.bind(bindings.DB)
    const DB = {
      prepare: (query: string) => bindings.DB.prepare(query),
      batch: (statements: D1PreparedStatement[]) =>
        realBatch([...statements, bindings.DB.prepare('SELECT * FROM no_such_table')]),
    } as unknown as D1Database
    await expect(scene.tag({ db: openDatabase(DB) })).rejects.toThrow('no_such_table')
    expect(await scene.garment()).toMatchObject({ status: 'queuing', tries: 0 })
    expect([await scene.delivery(), await scene.counts(), await scene.waiting()]).toEqual([undefined, {}, 1])
  })

  it('for minutes fails no garment: it stays due and is tagged when the database is back', async () => {
    const scene = await newScene()
    const faults = failing(() => true)
    for (let i = 0; i < 20; i++) await expect(scene.tag(faults)).rejects.toThrow('Failed query')
    expect(await scene.garment()).toMatchObject({ status: 'queuing', tries: 0 })
    scene.clock.now += 5 * minute
    await sweepGarments(scene.sweepDeps, scene.clock.now)
    expect(scene.enqueued()).toEqual([scene.message])
    await scene.tag()
    expect((await scene.garment()).status).toBe('complete')
  })
  it('for days, of the database, the queue, the networks and the storage, ends no garment without a try', async () => {
    const scene = await newScene()
    const uuids = Array.from({ length: 30 }, (_, i) => `waiting-${i}`)
    for (const uuid of uuids) await scene.upload(undefined, uuid)
    const { tenantId } = scene
    const outages: readonly Partial<TaggingDeps>[] = [
      failing(() => true),
      { loadNetwork: () => Promise.reject(new Error('no answer')) },
      { pictures: { put: () => Promise.reject(new Error('no answer')) } as unknown as R2Bucket },
    ]
    for (const outage of outages) {
      await Promise.allSettled(uuids.map(async (uuid) => await scene.tag(outage, { tenantId, uuid })))
      scene.clock.now += 25 * hour
    }
    await Promise.all(uuids.map(async (uuid) => await scene.tag({}, { tenantId, uuid })))
    expect(await scene.counts()).toEqual({ complete: uuids.length })
  })

  it('leaves a garment all its tries, after which it fails', async () => {
    const scene = await newScene()
    scene.clock.now += 25 * hour
    const fault = { tagPicture: () => Promise.reject(new Error('a fault of ours')) }
    for (let tries = 1; tries <= 5; tries++) {
      expect(await scene.garment()).toMatchObject({ status: 'queuing', tries: tries - 1 })
      await scene.tag(fault)
    }
    expect((await scene.garment()).status).toBe('failed')
  })
})
