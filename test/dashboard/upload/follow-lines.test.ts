import { afterEach, expect, it, vi } from 'vitest'
// @ts-expect-error: the scripts of the pages have no types.
import { followLines } from '../../../src/dashboard/public/assets/scripts/upload/follow-lines.js'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('a line that is tagged after hours is still shown, and is asked for less often until then', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  const announcement = { textContent: '' }
  vi.stubGlobal('document', { getElementById: () => announcement })
  let [status, reads] = ['waiting', 0]
  vi.stubGlobal('fetch', async () => {
    reads++
    return Response.json({ lines: [{ line: 1, status, statusName: status, problem: '' }] })
  })
  const row = { showState: vi.fn<(text: string) => void>(), showProblem: vi.fn<(text: string) => void>() }
  const followed = followLines('/dashboard/imports/1', new Map([[1, row]]))
  await vi.advanceTimersByTimeAsync(2 * 3600_000)
  reads = 0
  await vi.advanceTimersByTimeAsync(600_000)
  expect(reads).toBe(20)
  status = 'complete'
  await vi.advanceTimersByTimeAsync(30_000)
  await followed
  expect(row.showState).toHaveBeenLastCalledWith('complete')
  expect(announcement.textContent).toBe('1 of 1 tagged')
})
