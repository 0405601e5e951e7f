import { describe, expect, it, vi } from 'vitest'
import { batchDeps } from '../../../src/tagging/deps.ts'
import { directSender } from '../../../src/webhooks/deliveries/send-to-dispatcher.ts'
import { bindings } from '../../service.ts'
import { dueNow, until } from './due-now.ts'

describe('a delivery that begins when a garment is tagged', () => {
  it('goes to its dispatcher without a message', async () => {
    const scene = await dueNow()
    const send = vi.fn<() => Promise<void>>()
    const env = { ...bindings, WEBHOOK_QUEUE: { send } as unknown as Env['WEBHOOK_QUEUE'] }
    await batchDeps(env, { waitUntil: () => {} }).deliverySender.send(scene.message(1))
    await until(async () => expect(await scene.row()).toMatchObject({ status: 'delivered', attemptCount: 1 }))
    expect([(await scene.received()).length, send.mock.calls.length]).toEqual([1, 0])
  })

  it.each([
    ['cannot be reached', async () => await Promise.reject(new Error('overloaded'))],
    ['does not answer', async () => await new Promise(() => {})],
  ])('goes by the queue if its dispatcher %s', async (_, accept) => {
    const scene = await dueNow()
    await directSender({ ...bindings, DISPATCHER: { getByName: () => ({ accept }) } } as unknown as Env).send(
      scene.message(1),
    )
    await until(async () => expect(await scene.row()).toMatchObject({ status: 'delivered', attemptCount: 1 }))
    expect(await scene.received()).toHaveLength(1)
  })
})
