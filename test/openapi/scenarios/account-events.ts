import { hour, newAccountScene, newFailingScene, nowMs } from '../../webhooks/account-scene.ts'

type AccountScene = Awaited<ReturnType<typeof newAccountScene>>

const reported = (happen: (scene: AccountScene) => Promise<unknown>) => async () => {
  const scene = await newAccountScene()
  await happen(scene)
  await scene.carry()
  await scene.attemptAll()
  return scene
}

const failing = (event: string, failingHours: number) => async () => {
  const scene = await newFailingScene()
  await scene.update({ events: [event] })
  await scene.updateFirst({ failingSince: nowMs - failingHours * hour })
  await scene.answer(1, 500, nowMs)
  await scene.attemptAll()
  return scene
}

/** Maps each account event to a scene whose endpoint got it. */
export const accountEventScenes = {
  'endpoint.failing': failing('endpoint.failing', 2),
  'endpoint.disabled': failing('endpoint.disabled', 200),
  'quota.nearly_reached': reported(async (scene) => {
    await scene.store(95, 10)
    await scene.sweep()
  }),
  'api_key.created': reported(async (scene) => await scene.createKey('shop')),
  'api_key.revoked': reported(async (scene) => await scene.revokeKey(scene.keyId)),
}
