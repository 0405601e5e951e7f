import { describe, expect, it } from 'vitest'
import { createDownloads, createRunPlaces, type RunPlace } from '../../src/tagging/run-places.ts'
import { createVirtualClock } from '../support/simulation/virtual-clock.ts'

function start() {
  const clock = createVirtualClock(0, async () => await new Promise((resolve) => setTimeout(resolve, 0)))
  const downloads = createDownloads()
  const until = async (isDone: () => boolean) => await clock.runUntil(isDone)
  /** Enters and opens a download. The result is a place, or why there is none. */
  const run = (places: ReturnType<typeof createRunPlaces>, tenantId: string) => {
    const state: { place?: RunPlace; result?: 'downloads' | 'no place' | 'no download' } = {}
    void places.takePlace(tenantId).then(async (place) => {
      if (place === null) return (state.result = 'no place')
      state.place = place
      return (state.result = (await place.startDownload()) ? 'downloads' : 'no download')
    })
    return state
  }
  const newInvocation = () => createRunPlaces(downloads, clock)
  return { clock, until, run, newInvocation, settle: async () => await until(() => true) }
}

describe('the runs of an invocation', () => {
  it('are four at a time, and the next starts when one leaves', async () => {
    const { run, newInvocation, settle, until } = start()
    const places = newInvocation()
    const runs = ['a', 'b', 'c', 'd', 'e'].map((tenant) => run(places, tenant))
    await settle()
    expect(runs.map(({ result }) => result)).toEqual([...Array<string>(4).fill('downloads'), undefined])
    runs[0]?.place?.leave()
    await until(() => runs[4]?.result !== undefined)
    expect(runs[4]?.result).toBe('downloads')
  })

  it('wait for the others as long as one of those holds a picture, and are refused once all have stalled', async () => {
    const { clock, run, newInvocation, until, settle } = start()
    const places = newInvocation()
    const runs = ['a', 'b', 'c', 'd'].map((tenant) => run(places, tenant))
    await settle()
    runs[0]?.place?.endDownload()
    const next = run(places, 'e')
    clock.after(5000, () => {})
    await until(() => clock.now() >= 5000)
    expect(next.result).toBe(undefined)
    void runs[0]?.place?.startDownload()
    await until(() => next.result !== undefined)
    expect([next.result, clock.now()]).toEqual(['no place', expect.closeTo(6000, -2)])
    const other = run(newInvocation(), 'e')
    await settle()
    expect(other.result).toBe('downloads')
  })

  it('have at most two open downloads of a tenant in the isolate, whatever the invocation', async () => {
    const { clock, run, newInvocation, until, settle } = start()
    const [first, second] = [run(newInvocation(), 'a'), run(newInvocation(), 'a')]
    await settle()
    const third = run(newInvocation(), 'a')
    const other = run(newInvocation(), 'b')
    await until(() => clock.now() >= 500)
    expect([first, second, third, other].map(({ result }) => result)).toEqual([
      'downloads',
      'downloads',
      undefined,
      'downloads',
    ])
    first.place?.endDownload()
    await until(() => third.result !== undefined)
    expect(third.result).toBe('downloads')
    const fourth = run(newInvocation(), 'a')
    await until(() => fourth.result !== undefined)
    expect([fourth.result, clock.now() >= 1500]).toEqual(['no download', true])
  })

  it('are told when their download stalls, and downloads of an invocation that was cut off are forgotten', async () => {
    const { clock, run, newInvocation, until, settle } = start()
    const runs = [run(newInvocation(), 'a'), run(newInvocation(), 'a')]
    await settle()
    let stalledAt = 0
    void runs[0]?.place?.untilStalled().then(() => (stalledAt = clock.now()))
    await until(() => stalledAt > 0)
    expect(stalledAt).toBe(1000)
    clock.after(19_000, () => {})
    await until(() => clock.now() >= 20_000)
    const next = run(newInvocation(), 'a')
    await settle()
    expect(next.result).toBe('downloads')
  })
})
