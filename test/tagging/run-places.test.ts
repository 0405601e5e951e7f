import { describe, expect, it } from 'vitest'
import { createRunPlaces, createStalledHosts, type Refusal, type RunPlace } from '../../src/tagging/run-places.ts'
import { createVirtualClock } from '../support/simulation/virtual-clock.ts'

function start() {
  const clock = createVirtualClock(0, async () => await new Promise((resolve) => setTimeout(resolve, 0)))
  const stalledHosts = createStalledHosts()
  const places = createRunPlaces(stalledHosts, clock)
  const got: (RunPlace | Refusal)[] = []
  const enter = (tenantId: string) => void places.enter(tenantId).then((place) => got.push(place))
  const place = (i: number) => {
    const found = got[i]
    if (typeof found !== 'object') throw new Error('It got no place')
    return found
  }
  return { clock, stalledHosts, places, enter, got, place, settle: async () => await clock.runUntil(() => true) }
}

describe('the runs of an invocation', () => {
  it('wait for at most four hosts at a time', async () => {
    const { enter, got, place, settle } = start()
    for (const tenant of ['a', 'b', 'c', 'd', 'e', 'f']) enter(tenant)
    await settle()
    expect(got.length).toBe(4)
    place(0).arrive()
    await settle()
    expect(got.length).toBe(5)
  })

  it('hold at most four pictures that wait to be tagged', async () => {
    const { enter, got, place, settle } = start()
    for (let i = 0; i < 9; i++) enter(`${i}`)
    await settle()
    for (let i = 0; i < 4; i++) place(i).arrive()
    await settle()
    expect(got.length).toBe(4 + 3)
    place(0).leave()
    await settle()
    expect(got.length).toBe(4 + 4)
  })

  it('are postponed while all places wait for hosts that stall, and a tenant that stalls takes no second place', async () => {
    const { clock, stalledHosts, places, enter, got, settle } = start()
    let stalls = 0
    for (const tenant of ['a', 'a', 'b', 'c']) void places.enter(tenant, () => stalls++)
    enter('d')
    await clock.runUntil(() => clock.now() >= 1500 && stalls === 4)
    await settle()
    expect(got).toEqual(['next'])
    const next = createRunPlaces(stalledHosts, clock)
    expect([await next.enter('a'), await next.enter('b')]).toEqual([
      'soon',
      { arrive: expect.any(Function), leave: expect.any(Function) },
    ])
    expect([stalledHosts.isSuspect('a', clock.now()), stalledHosts.isSuspect('d', clock.now())]).toEqual([true, false])
    expect(stalledHosts.count('a', clock.now() + 20_000)).toBe(0)
  })

  it('are not waited for if a host of the tenant stalled lately, and are then kept waiting twice at most', async () => {
    const { clock, stalledHosts, places } = start()
    stalledHosts.suspect('a', 0)
    let stalls = 0
    const enter = async () => await places.enter('a', () => stalls++)
    const first = await enter()
    expect([typeof first, typeof (await enter()), stalls]).toEqual(['object', 'object', 2])
    // They may be healthy still.
    expect([await enter(), await enter()]).toEqual(['soon', 'soon'])
    await clock.runUntil(() => clock.now() >= 1500)
    expect([await enter(), await enter()]).toEqual(['soon', 'sweep'])
    if (typeof first === 'object') first.leave()
    expect(typeof (await enter())).toBe('object')
  })

  it('are waited for shortly while a host stalls, but for tenants whose pictures came lately', async () => {
    const { clock, stalledHosts, places } = start()
    expect(stalledHosts.patience('new', 0)).toBe(1500)
    const good = await places.enter('good')
    if (typeof good === 'object') good.arrive()
    void places.enter('a')
    clock.after(3000, () => {})
    await clock.runUntil(() => clock.now() >= 3000)
    const patience = ['good', 'new', 'a'].map((tenant) => stalledHosts.patience(tenant, clock.now()))
    expect(patience).toEqual([1500, 300, 0])
    let stalledAt = 0
    const next = createRunPlaces(stalledHosts, clock)
    await next.enter('new', () => (stalledAt = clock.now()))
    await clock.runUntil(() => stalledAt > 0)
    expect(stalledAt).toBe(3300)
    // It is no suspect yet.
    expect(stalledHosts.isSuspect('new', clock.now())).toBe(false)
  })

  it('of tenants that stall take no more than the places of the isolate', () => {
    const { stalledHosts } = start()
    for (let i = 0; i < 32; i++) stalledHosts.add(`${i}`, 0)
    expect([stalledHosts.refusal('0', 0), stalledHosts.refusal('32', 0)]).toEqual(['soon', null])
    for (let i = 32; i < 64; i++) stalledHosts.add(`${i}`, 0)
    expect([stalledHosts.refusal('64', 0), stalledHosts.refusal('64', 0)]).toEqual(['soon', 'sweep'])
    expect(stalledHosts.refusal('64', 20_000)).toBe(null)
  })
})
