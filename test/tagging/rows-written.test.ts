import { pictureAt } from '../../src/garments/pictures/garment-picture.ts'
import { expect, it } from 'vitest'
import { openDatabase } from '../../src/platform/db/database.ts'
import { uploadGarment } from '../../src/garments/upload-garment.ts'
import { bindings, uploadLimits } from '../service.ts'
import { countDatabase } from '../support/count-database.ts'
import { newScene as newReceiver } from '../webhooks/webhook-scene.ts'
import { attemptDelivery } from '../../src/webhooks/deliveries/attempt-delivery.ts'
import { newScene, startMs, tagged } from './scene.ts'

it('an upload, a claim and an ending write at most 14 rows, and the same upload again writes none', async () => {
  const scene = await newScene()
  await scene.tag()
  const { DB, counts } = countDatabase(bindings.DB)
  const db = openDatabase(DB)
  const content = {
    uuid: 'counted',
    pictures: [pictureAt('https://a.example/')],
    attribute: {},
    origin: 'https://s.example',
  }
  const upload = async () => await uploadGarment(db, scene.tenantId, content, { ...uploadLimits, nowMs: startMs })
  await upload()
  expect(counts.rowsWritten).toBe(7)
  expect(await upload()).toBe(null)
  expect(counts.rowsWritten).toBe(7)
  await scene.tag({ db }, { tenantId: scene.tenantId, uuid: 'counted' })
  expect(counts.rowsWritten).toBeLessThanOrEqual(14)
})

it('a garment that is uploaded, tagged, queued for review and delivered writes at most 26 rows', async () => {
  const [scene, receiver] = [await newScene(), await newReceiver()]
  const doubtful = {
    ...tagged,
    tag: { 'Item Type': 'T-Shirt', Colour: 'Navy', 'Colour Confidence': 'Low', Brand: 'Ann' },
  }
  const { tenantId } = receiver
  const { DB, counts } = countDatabase(bindings.DB)
  const db = openDatabase(DB)
  const run = async (uuid: string) => {
    const content = { uuid, pictures: [pictureAt('https://a.example/')], attribute: {}, origin: 'https://s.example' }
    await uploadGarment(db, tenantId, content, { ...uploadLimits, nowMs: startMs })
    await scene.tag({ db, tagPicture: async () => doubtful }, { tenantId, uuid })
    const message = scene.sent.webhook.pop()
    if (message === undefined) throw new Error('No delivery was enqueued')
    await attemptDelivery(message, { ...receiver.deps, db })
  }
  // A tenant's first garment of a day also creates the rows that hold counts.
  await run('first')
  counts.rowsWritten = 0
  await run('second')
  expect((await receiver.received()).length).toBe(2)
  expect(counts.rowsWritten).toBeLessThanOrEqual(26)
  expect(await receiver.counts()).toEqual({ complete: 2, delivered: 2 })
})
