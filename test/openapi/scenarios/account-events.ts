import { storeDeliveryError } from '../../../src/events/delivery-error.ts'
import { hour, newAccountScene, nowMs } from '../../webhooks/account-scene.ts'

type AccountScene = Awaited<ReturnType<typeof newAccountScene>>

const reported = (happen: (scene: AccountScene) => Promise<unknown>) => async () => {
  const scene = await newAccountScene()
  await happen(scene)
  await scene.carry()
  await scene.attemptAll()
  return scene
}

const failing = async (scene: AccountScene, state: Parameters<AccountScene['updateFirst']>[0] = {}) => {
  await scene.updateFirst({ failingSince: nowMs - 200 * hour, ...state })
  await scene.sweep()
}

/** By event of an account, a scene whose endpoint was sent it. */
export const accountEventScenes = {
  'endpoint.failing': reported(failing),
  'endpoint.disabled': reported(async (scene) => {
    const disabledReason = storeDeliveryError('always_failing', { since: new Date(nowMs).toISOString() })
    await failing(scene, { enabled: false, disabledReason })
  }),
  'quota.nearly_reached': reported(async (scene) => {
    await scene.store(95, 10)
    await scene.sweep()
  }),
  'api_key.created': reported(async (scene) => await scene.createKey('shop')),
  'api_key.revoked': reported(async (scene) => await scene.revokeKey(scene.keyId)),
}
