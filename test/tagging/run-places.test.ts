import { describe, expect, it } from 'vitest'
import { createRunPlaces, type RunPlace } from '../../src/tagging/run-places.ts'
import { createStalledHosts } from '../../src/tagging/stalled-hosts.ts'
import { createVirtualClock } from '../support/virtual-clock.ts'

function start() {
  const clock = createVirtualClock(0, async () => await new Promise((resolve) => setTimeout(resolve, 0)))
  const stalledHosts = createStalledHosts()
  const places = createRunPlaces(stalledHosts, clock)
  const got: (RunPlace | null)[] = []
  const enter = (tenantId: string) => void places.enter(tenantId).then((place) => got.push(place))
  return { clock, stalledHosts, places, enter, got, settle: async () => await clock.runUntil(() => true) }
}

describe('the runs of an invocation', () => {
  it('wait for at most four hosts at a time', async () => {
    const { enter, got, settle } = start()
    for (const tenant of ['a', 'b', 'c', 'd', 'e', 'f']) enter(tenant)
    await settle()
    expect(got.length).toBe(4)
    got[0]?.arrive()
    await settle()
    expect(got.length).toBe(5)
  })

  it('hold at most four pictures that wait to be tagged', async () => {
    const { enter, got, settle } = start()
    for (let i = 0; i < 9; i++) enter(`${i}`)
    await settle()
    for (let i = 0; i < 4; i++) got[i]?.arrive()
    await settle()
    expect(got.length).toBe(4 + 3)
    got[0]?.leave()
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
    expect(got).toEqual([null])
    const next = createRunPlaces(stalledHosts, clock)
    expect([await next.enter('a'), await next.enter('b')]).toEqual([null, expect.anything()])
    expect([stalledHosts.isSuspect('a', clock.now()), stalledHosts.isSuspect('d', clock.now())]).toEqual([true, false])
    expect(stalledHosts.count('a', clock.now() + 20_000)).toBe(0)
  })
})
