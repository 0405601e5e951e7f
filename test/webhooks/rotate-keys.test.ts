import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { webhookEndpoints } from '../../src/platform/db/schema.ts'
import type { EncryptionKeys } from '../../src/webhooks/endpoints/encrypt.ts'
import { getConfig } from '../../src/webhooks/endpoints/endpoint.ts'
import { eraseFormerSecrets, reencryptConfigs } from '../../src/webhooks/maintain-webhooks.ts'
import { putConfig } from '../../src/webhooks/endpoints/change-endpoint.ts'
import { db, localPolicy, newScene, receiver, type Scene, secret, settings, startMs } from './webhook-scene.ts'
import { someone } from '../service.ts'

// Not the key of the other tests, whose configurations would be encrypted again too.
const oldKey = btoa('o'.repeat(32))
const newKey = btoa('n'.repeat(32))
const before: EncryptionKeys = { current: oldKey, old: [] }
const rotated: EncryptionKeys = { current: newKey, old: [oldKey] }
const afterwards: EncryptionKeys = { current: newKey, old: [] }

/** What the settings are with these keys. */
const settingsWith = ({ current, old }: EncryptionKeys) => ({
  settings: { ...settings, ENCRYPTION_KEY: current, ENCRYPTION_KEYS_OLD: [...old] },
})

/** Encrypts everything again, as sweeps do. */
async function reencryptAll() {
  while ((await reencryptConfigs(db, rotated, 100)) > 0);
}

const put = async ({ tenantId, name }: Scene, changes: object, used: EncryptionKeys) => {
  const config = { enabled: true, url: receiver.url(name, 'status=500'), secret, headers: {}, ...changes }
  await putConfig({ db, keys: used, policy: localPolicy }, tenantId, config, startMs, { by: someone })
}

/** A scene whose configuration is encrypted under the old key. */
async function newOldScene(changes: object = {}): Promise<Scene> {
  const scene = await newScene()
  await db.delete(webhookEndpoints).where(eq(webhookEndpoints.tenantId, scene.tenantId))
  await put(scene, changes, before)
  return scene
}

describe('a new encryption key', () => {
  it('reads and delivers what the old key encrypted, and does without the old key after the sweep', async () => {
    const scene = await newOldScene()
    await put(scene, { secret: 'the second', headers: { 'X-Shop': 'north' } }, before)
    const expected = { enabled: true, secret: 'the second', headers: { 'X-Shop': 'north' } }

    expect(await getConfig(db, scene.tenantId, rotated)).toMatchObject(expected)
    await scene.attempt(1, settingsWith(rotated))
    await reencryptAll()
    expect(await getConfig(db, scene.tenantId, afterwards)).toMatchObject(expected)
    scene.clock.now += 5000
    await scene.attempt(2, settingsWith(afterwards))

    const [first, second] = await scene.received()
    for (const request of [first, second]) {
      expect(request?.headers).toMatchObject({ 'x-shop': 'north' })
      // The former secret of the tenant's own rotation signs on.
      expect(request?.headers['webhook-signature']?.split(' ')).toHaveLength(2)
    }
    expect(second?.headers['x-webhook-signature']).toBe(first?.headers['x-webhook-signature'])
  })

  it('goes on past what cannot be decrypted, which stays as it is', async () => {
    const broken = await newOldScene({ headers: { 'X-Shop': 'north' } })
    const headers = (await broken.config())?.headers?.replace(/.{4}$/, 'AAAA') ?? ''
    await db.update(webhookEndpoints).set({ headers }).where(eq(webhookEndpoints.tenantId, broken.tenantId))
    const whole = await newOldScene()
    while ((await reencryptConfigs(db, rotated, 1)) > 0);
    expect(await getConfig(db, whole.tenantId, afterwards)).toMatchObject({ secret })
    const row = await broken.config()
    expect([row?.headers, row?.keyId]).toEqual([headers, (await whole.config())?.keyId])
  })

  it('encrypts a configuration that is put, and the former secret with it', async () => {
    const scene = await newOldScene()
    await put(scene, { secret: 'the second' }, rotated)
    const row = await scene.config()
    const keyIds = [row?.secret, row?.formerSecret, row?.headers].map((envelope) => envelope?.split('.')[1])
    expect(new Set(keyIds)).toEqual(new Set([row?.keyId]))
    expect(await getConfig(db, scene.tenantId, afterwards)).toMatchObject({ secret: 'the second' })
  })

  it('does not overwrite a configuration that is put meanwhile', async () => {
    const scene = await newOldScene()
    await Promise.all([reencryptAll(), put(scene, { secret: 'put meanwhile' }, rotated)])
    expect(await getConfig(db, scene.tenantId, afterwards)).toMatchObject({ secret: 'put meanwhile' })
  })
})

describe('a configuration whose key is gone', () => {
  it('cannot be read, and says so', async () => {
    const scene = await newOldScene()
    const reading = getConfig(db, scene.tenantId, afterwards)
    await expect(reading).rejects.toMatchObject({ status: 409, message: 'Webhook configuration unreadable' })
  })

  it('can be replaced', async () => {
    const scene = await newOldScene()
    await put(scene, { secret: 'fresh' }, afterwards)
    expect(await getConfig(db, scene.tenantId, afterwards)).toMatchObject({ secret: 'fresh' })
    expect((await scene.config())?.formerSecret).toBeNull()
  })

  it('keeps its deliveries pending, without an attempt, until the key is given again', async () => {
    const scene = await newOldScene()
    for (let time = 0; time < 20; time++) {
      await scene.attempt(1, settingsWith(afterwards))
      scene.clock.now = (await scene.row())?.nextAttemptAt ?? 0
    }
    expect(await scene.received()).toEqual([])
    expect(await scene.row()).toMatchObject({ status: 'pending', attemptCount: 0, claims: 0, leaseUntil: null })
    await scene.attempt(1, settingsWith(rotated))
    expect(await scene.received()).toHaveLength(1)
  })

  it('can be disabled', async () => {
    const scene = await newOldScene()
    await put(scene, { enabled: false }, afterwards)
    expect(await scene.row()).toMatchObject({ status: 'permanently_failed' })
  })
})

it('a former webhook secret is erased after its day', async () => {
  const scene = await newScene()
  // Long ago, so that the former secrets of other tests stay.
  await scene.configure({ secret: 'new' }, 1)
  const until = 1 + 86_400_000
  await eraseFormerSecrets(db, until - 1, 1000)
  expect((await scene.config())?.formerSecretUntil).toBe(until)
  await eraseFormerSecrets(db, until, 1000)
  expect(await scene.config()).toMatchObject({ formerSecret: null, formerSecretUntil: null })
})
