import { afterEach, expect, it, vi } from 'vitest'
// @ts-expect-error: the scripts of the pages have no types.
import { followSection } from '../../../src/dashboard/public/assets/scripts/live-section.js'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('a page follows work that takes hours, at long pauses, and stops when the work has ended', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  const dataset: { live?: string } = { live: '' }
  vi.stubGlobal('document', { hidden: false, getElementById: () => ({ dataset }) })
  vi.stubGlobal('location', { href: 'http://service.test/dashboard/imports' })
  const read = vi.fn<() => Promise<Response>>(async () => await Promise.reject(new Error('Offline')))
  vi.stubGlobal('fetch', read)
  const followed = followSection()
  await vi.advanceTimersByTimeAsync(2 * 3600_000)
  read.mockClear()
  await vi.advanceTimersByTimeAsync(600_000)
  expect(read).toHaveBeenCalledTimes(20)
  delete dataset.live
  await vi.advanceTimersByTimeAsync(60_000)
  await followed
  expect(read).toHaveBeenCalledTimes(21)
})
