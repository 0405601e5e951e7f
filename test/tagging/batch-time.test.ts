import { expect, it } from 'vitest'
import { createMessageBatch } from 'cloudflare:test'
import type { TaggingMessage } from '../../src/garments/turns.ts'
import { tagBatch } from '../../src/tagging/queue.ts'
import { createDownloads } from '../../src/tagging/run-places.ts'
import { newScene, tagged } from './scene.ts'

it('a batch starts no more garments before its CPU limit, and sends the others again without the loss of a try', async () => {
  const scene = await newScene()
  const uuids = Array.from({ length: 20 }, (_, i) => `g${i}`)
  const stored: TaggingMessage[] = []
  for (const uuid of uuids) {
    const upload = await scene.upload(undefined, uuid)
    stored.push({ tenantId: scene.tenantId, uuid, revision: upload?.revision ?? '' })
  }
  const batch = createMessageBatch(
    'garment-tagging',
    stored.map((body, i) => ({ id: String(i), timestamp: new Date(scene.clock.now), attempts: 1, body })),
  )
  let busyMs = 0
  // A garment with two labels of 12 megapixels takes less.
  const tagPicture = async () => {
    busyMs += 20_000
    scene.clock.now += 20_000
    return await Promise.resolve(tagged)
  }
  const again: string[] = []
  const sendBatch = async (sent: Iterable<MessageSendRequest>) =>
    await Promise.resolve(void again.push(...Array.from(sent, ({ body }) => (body as { uuid: string }).uuid)))
  await tagBatch(batch, {
    ...scene.deps,
    tagPicture,
    sleep: async () => await new Promise((resolve) => setTimeout(resolve, 0)),
    taggingQueue: { ...scene.deps.taggingQueue, sendBatch } as unknown as Queue,
    databaseOf: () => scene.deps.db,
    downloads: createDownloads(),
    waitUntil: () => {},
  })
  expect(busyMs).toBeLessThan(300_000)
  expect(again.length).toBeGreaterThan(0)
  const complete = (await scene.counts())['complete'] ?? 0
  expect(complete + new Set(again).size).toBeGreaterThanOrEqual(20)
})
