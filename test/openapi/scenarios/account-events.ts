import { storeDeliveryError } from '../../../src/events/delivery-error.ts'
import { hour, newAccountScene, nowMs } from '../../webhooks/scene.ts'

type AccountScene = Awaited<ReturnType<typeof newAccountScene>>

const told = (happen: (scene: AccountScene) => Promise<unknown>) => async () => {
  const scene = await newAccountScene()
  await happen(scene)
  await scene.attemptAll()
  return scene
}

const failing = async (scene: AccountScene, state: Parameters<AccountScene['addFailing']>[0] = {}) => {
  await scene.addFailing({ failingSince: nowMs - 200 * hour, ...state })
  await scene.sweep()
}

/** By event of an account, a scene whose webhook was sent it. */
export const accountEventScenes = {
  'endpoint.failing': told(failing),
  'endpoint.disabled': told(async (scene) => {
    const disabledReason = storeDeliveryError('always_failing', { since: new Date(nowMs).toISOString() })
    await failing(scene, { enabled: false, disabledReason })
  }),
  'quota.nearly_reached': told(async (scene) => {
    await scene.store(95, 10)
    await scene.sweep()
  }),
  'api_key.created': told(async (scene) => await scene.createKey('shop')),
  'api_key.revoked': told(async (scene) => await scene.revokeKey(scene.keyId)),
}
