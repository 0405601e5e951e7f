import { expect, it } from 'vitest'
import { createBacklog } from '../../../src/webhooks/deliveries/backlog.ts'
import type { DeliveryMessage } from '../../../src/events/delivery.ts'

const message = (deliveryId: string, attempt = 1): DeliveryMessage => ({
  tenantId: 'tenant',
  endpointId: 'first',
  deliveryId,
  attempt,
})

/** A backlog whose attempts end when the test says so. */
function scene(concurrency: number, maxWaiting: number, perInvocation = 100) {
  let pauses = 0
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const make = async ({ deliveryId, attempt }: DeliveryMessage) => {
    const name = `${deliveryId}${attempt}`
    started.push(name)
    await new Promise<void>((resolve) => ends.set(name, resolve))
  }
  const backlog = createBacklog(make, () => void pauses++, { concurrency, maxWaiting, perInvocation })
  const end = async (name: string) => {
    ends.get(name)?.()
    await new Promise((resolve) => setTimeout(resolve))
  }
  const accept = (id: string, attempt = 1) => backlog.accept(message(id, attempt))
  return { started, end, accept, proceed: backlog.proceed, pauses: () => pauses }
}

it('the backlog makes attempts in order, at most the given number at a time', async () => {
  const { started, end, accept } = scene(2, 10)
  for (const id of ['a', 'b', 'c', 'd']) expect(accept(id)).toBe(true)
  expect(started).toEqual(['a1', 'b1'])
  await end('b1')
  expect(started).toEqual(['a1', 'b1', 'c1'])
  await end('a1')
  expect(started).toEqual(['a1', 'b1', 'c1', 'd1'])
})

it('the backlog refuses messages while it is full, and accepts again afterwards', async () => {
  const { end, accept } = scene(1, 2)
  expect(['a', 'b', 'c', 'd'].map((id) => accept(id))).toEqual([true, true, true, false])
  await end('a1')
  expect(accept('d')).toBe(true)
})

it('the backlog holds a delivery once, however often its message arrives', async () => {
  const { started, end, accept } = scene(1, 2)
  for (const id of ['a', 'b', 'b', 'b', 'c']) expect(accept(id)).toBe(true)
  await end('a1')
  await end('b1')
  expect(started).toEqual(['a1', 'b1', 'c1'])
})

it('the backlog makes attempts of one delivery one after the other', async () => {
  const { started, end, accept } = scene(3, 10)
  accept('a', 1)
  accept('a', 2)
  accept('b', 1)
  expect(started).toEqual(['a1', 'b1'])
  await end('a1')
  expect(started).toEqual(['a1', 'b1', 'a2'])
})

it('the backlog pauses after the attempts of one invocation, and goes on in the next', async () => {
  const { started, end, accept, proceed, pauses } = scene(2, 10, 3)
  for (const id of ['a', 'b', 'c']) accept(id)
  for (const id of ['a1', 'b1']) await end(id)
  expect([started, pauses()]).toEqual([['a1', 'b1', 'c1'], 0])
  for (const id of ['d', 'e', 'f', 'g']) accept(id)
  await end('c1')
  expect(started).toHaveLength(3)
  expect(pauses()).toBeGreaterThan(0)
  proceed()
  for (const id of ['d1', 'e1', 'f1']) await end(id)
  expect(started.slice(3)).toEqual(['d1', 'e1', 'f1'])
  proceed()
  await end('g1')
  // Nothing is left, so that the next attempt begins an invocation of its own.
  const before = pauses()
  for (const id of ['h', 'i', 'j']) accept(id)
  for (const id of ['h1', 'i1', 'j1']) await end(id)
  expect(started.slice(6)).toEqual(['g1', 'h1', 'i1', 'j1'])
  expect(pauses()).toBe(before)
})
