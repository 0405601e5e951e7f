import { describe, expect, it } from 'vitest'
import { putPause } from '../../src/operations/pauses.ts'
import { sweepGarments } from '../../src/tagging/sweep-garments.ts'
import { bindings } from '../service.ts'
import { newScene as newTaggingScene } from '../tagging/scene.ts'
import { newScene as newWebhookScene, startMs, sweep } from '../webhooks/webhook-scene.ts'

describe('the first sweep after a pause', () => {
  it('enqueues a garment whose message came during the pause', async () => {
    const scene = await newTaggingScene()
    const { tenantId: tenant } = scene
    await putPause(bindings, { tenant, tagging: true }, scene.clock.now)
    await scene.tag()
    await sweepGarments(scene.sweepDeps, scene.clock.now + 1)
    expect(scene.enqueued()).toEqual([])
    await putPause(bindings, { tenant, tagging: false }, scene.clock.now + 2)
    await sweepGarments(scene.sweepDeps, scene.clock.now + 3)
    expect(scene.enqueued()).toEqual([scene.message])
  })

  it('enqueues a delivery whose message came during the pause', async () => {
    const scene = await newWebhookScene()
    const { tenantId: tenant } = scene
    await putPause(bindings, { tenant, deliveries: true }, startMs)
    await scene.attempt(1)
    expect([await scene.received(), await sweep(scene, startMs + 1)]).toEqual([[], []])
    await putPause(bindings, { tenant, deliveries: false }, startMs + 2)
    expect(await sweep(scene, startMs + 3)).toEqual([scene.message(1)])
  })
})
