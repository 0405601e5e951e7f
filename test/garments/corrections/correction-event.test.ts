import { describe, expect, it } from 'vitest'
import { openDatabase } from '../../../src/platform/db/database.ts'
import { correctGarment } from '../../../src/garments/corrections/correct-garment.ts'
import { correctionDeps } from '../../../src/garments/corrections/store-correction.ts'
import { changeEndpoint } from '../../../src/webhooks/endpoints/change-endpoint.ts'
import { findDeliveryHistory, getDelivery } from '../../../src/webhooks/deliveries/list-deliveries.ts'
import { attemptDelivery, claimAttempt } from '../../../src/webhooks/deliveries/attempt-delivery.ts'
import { redeliver } from '../../../src/webhooks/deliveries/redeliver.ts'
import { bindings, someone } from '../../service.ts'
import { countDatabase } from '../../support/count-database.ts'
import { db, insertDeliveries, keys, localPolicy, newScene, type Scene, startMs } from '../../webhooks/webhook-scene.ts'
import { machineMeasurements, machineTag } from '../review/complete-garment.ts'

const garment = { tag: machineTag, measurements: machineMeasurements }

const ask = async ({ tenantId }: Scene, corrected = true) =>
  await changeEndpoint(
    { db, keys, policy: localPolicy },
    tenantId,
    'first',
    { events: corrected ? ['tagging.completed', 'tagging.corrected'] : ['tagging.completed'] },
    startMs,
    someone,
  )

async function correct(scene: Scene, tag: Record<string, string>, nowMs: number) {
  const correction = {
    uuid: scene.uuid,
    patch: { tag, measurements: {} },
    by: { kind: 'member', id: 's', name: 'Ann' },
  } as const
  await correctGarment(
    { ...correctionDeps({ env: bindings, db: db }), webhookQueue: scene.queue },
    scene.tenantId,
    correction,
    nowMs,
  )
}

describe('tagging.corrected', () => {
  it('is delivered to a tenant that asked for it, by a delivery of its own', async () => {
    const scene = await newScene({ garment })
    await ask(scene)
    const tagging = await getDelivery(db, scene.tenantId, scene.uuid)
    await correct(scene, { Colour: 'Black' }, startMs + 1000)
    const [message] = scene.sent
    if (message === undefined) throw new Error('Nothing was enqueued')
    scene.clock.now = startMs + 2000
    await attemptDelivery(message.body, scene.deps)
    const [request] = await scene.received()
    expect(request?.headers).toMatchObject({
      'x-webhook-event': 'tagging.corrected',
      'x-delivery-id': message.body.deliveryId,
    })
    expect(JSON.parse(request?.body ?? '')).toMatchObject({
      event: 'tagging.corrected',
      timestamp: new Date(startMs + 1000).toISOString(),
      uuid: scene.uuid,
      status: 'complete',
      complete: true,
      tag: { Colour: 'Black', 'Colour Confidence': 'High' },
      corrected: ['Colour'],
    })
    // The delivery of the tagging, which delivery-status shows, is what it was.
    expect(await getDelivery(db, scene.tenantId, scene.uuid)).toEqual(tagging)
    const history = await findDeliveryHistory(db, scene.tenantId, scene.uuid, { limit: 5 }, 'correction')
    expect(history?.delivery).toMatchObject({ kind: 'correction', status: 'delivered', attemptCount: 1 })
    expect(history?.attempts).toHaveLength(1)
    const again = await redeliver(db, scene.queue, scene.tenantId, scene.uuid, scene.clock.now, 'correction')
    expect(again.id).toBe(message.body.deliveryId)
  })

  it('is sent once for corrections that follow before it, with all of them', async () => {
    const scene = await newScene({ garment })
    await ask(scene)
    await correct(scene, { Colour: 'Black' }, startMs)
    await correct(scene, { Fit: 'Slim' }, startMs + 1)
    for (const { body } of scene.sent) await attemptDelivery(body, scene.deps)
    const bodies = (await scene.received()).map(({ body }) => JSON.parse(body))
    expect(bodies).toMatchObject([{ corrected: ['Colour', 'Fit'] }])
  })

  it.each([
    ['by default', async () => {}],
    ['after the choice was taken back', async (scene: Scene) => (await ask(scene), await ask(scene, false))],
    ['while the webhook is off', async (scene: Scene) => (await ask(scene), await scene.configure({ enabled: false }))],
  ])('is not sent %s', async (_, prepare) => {
    const scene = await newScene({ garment })
    await prepare(scene)
    await correct(scene, { Colour: 'Black' }, startMs)
    expect(scene.sent).toEqual([])
  })
})

it('claiming a delivery reads no more rows while many deliveries of the tenant are pending', async () => {
  const scene = await newScene({ garment })
  await insertDeliveries(scene.tenantId, 2000)
  const { DB, counts } = countDatabase(bindings.DB)
  await claimAttempt(openDatabase(DB), scene.message(1), 'claim', startMs)
  expect(counts.rowsRead).toBeLessThanOrEqual(20)
})
