import { afterEach, expect, it, vi } from 'vitest'
// @ts-expect-error: the scripts of the pages have no types.
import { followSection } from '../../src/dashboard/public/assets/scripts/live-section.js'
import { stubTimers } from './stub-timers.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

it('a page follows work that takes hours, at long pauses, and stops when the work has ended', async () => {
  const waitedMs = stubTimers()
  const reads: number[] = []
  vi.stubGlobal('document', {
    hidden: false,
    getElementById: () => ({ dataset: waitedMs() < 3 * 3600_000 ? { live: '' } : {} }),
  })
  vi.stubGlobal('location', { href: 'http://service.test/dashboard/imports' })
  vi.stubGlobal('fetch', async () => {
    reads.push(waitedMs())
    await Promise.reject(new Error('Offline'))
  })
  await followSection()
  const inThirdHour = reads.filter((at) => at >= 2 * 3600_000 && at < 3 * 3600_000)
  expect(inThirdHour).toHaveLength(120)
  expect(waitedMs()).toBeLessThanOrEqual(3 * 3600_000 + 30_000)
})
