import { afterEach, expect, it, vi } from 'vitest'
// @ts-expect-error: the scripts of the pages have no types.
import { followLines } from '../../src/dashboard/public/assets/scripts/upload/follow-lines.js'
import { stubTimers } from './stub-timers.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

it('a line that is tagged after hours is still shown, and is asked for less often until then', async () => {
  const waitedMs = stubTimers()
  const reads: number[] = []
  vi.stubGlobal('fetch', async () => {
    reads.push(waitedMs())
    const status = waitedMs() < 3 * 3600_000 ? 'waiting' : 'complete'
    const lines = [{ line: 1, status, statusName: status, problem: '', same: null }]
    return await Promise.resolve({ json: async () => await Promise.resolve({ lines }) })
  })
  const row = { showState: vi.fn<(text: string) => void>(), showProblem: vi.fn<(text: string) => void>() }
  const onEnd = vi.fn<(isDescribed: boolean) => void>()
  await followLines('/dashboard/import/1', new Map([[1, row]]), { isSending: () => false, onEnd })
  const inThirdHour = reads.filter((at) => at >= 2 * 3600_000 && at < 3 * 3600_000)
  expect(inThirdHour).toHaveLength(120)
  expect(row.showState).toHaveBeenLastCalledWith('complete', null)
  expect(onEnd.mock.calls).toEqual([[true]])
})

it('a garment with the same picture as another is described, and its row says so', async () => {
  stubTimers()
  const line = {
    line: 3,
    status: 'complete',
    statusName: 'Complete',
    problem: '',
    same: { name: 'Blue coat', path: '/dashboard/garment?uuid=a' },
  }
  const answer = { json: async () => await Promise.resolve({ lines: [line] }) }
  vi.stubGlobal('fetch', async () => await Promise.resolve(answer))
  const row = { showState: vi.fn<(text: string) => void>(), showProblem: vi.fn<(text: string) => void>() }
  await followLines('/dashboard/import/1', new Map([[3, row]]), { isSending: () => false, onEnd: () => {} })
  expect(row.showState.mock.calls).toEqual([['Complete', line.same]])
})
