import { afterEach, expect, it, vi } from 'vitest'
// @ts-expect-error: the scripts of the pages have no types.
import { followLines } from '../../src/dashboard/public/assets/scripts/upload/follow-lines.js'
import { stubTimers } from './stub-timers.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

it('a line that is tagged after hours is still shown, and is asked for less often until then', async () => {
  const waitedMs = stubTimers()
  const announcement = { textContent: '' }
  vi.stubGlobal('document', { getElementById: () => announcement })
  const reads: number[] = []
  vi.stubGlobal('fetch', async () => {
    reads.push(waitedMs())
    const status = waitedMs() < 3 * 3600_000 ? 'waiting' : 'complete'
    const lines = [{ line: 1, status, statusName: status, problem: '' }]
    return await Promise.resolve({ json: async () => await Promise.resolve({ lines }) })
  })
  const row = { showState: vi.fn<(text: string) => void>(), showProblem: vi.fn<(text: string) => void>() }
  await followLines('/dashboard/import/1', new Map([[1, row]]))
  const inThirdHour = reads.filter((at) => at >= 2 * 3600_000 && at < 3 * 3600_000)
  expect(inThirdHour).toHaveLength(120)
  expect(row.showState).toHaveBeenLastCalledWith('complete')
  expect(announcement.textContent).toBe('1 of 1 tagged')
})
