import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type CallOptions, GarmentTaggingError } from '../../src/client/connection.ts'
import { sleep } from '../../src/client/send.ts'
import type { Garment } from '../../src/client/types.ts'
import { noDetails } from '../../src/garments/details.ts'
import { pollDelayMs, waitForEnd } from '../../src/client/wait.ts'

const garment = (status: Garment['status']): Garment => ({
  uuid: 'g',
  number: 1,
  attribute: {},
  listing: { title: '', text: '', price: '', currency: '', size: '', condition: '', stock: '', sku: '' },
  size: null,
  stage: 'draft',
  sold: null,
  annotated_img: '',
  images: [],
  description: '',
  ...(status === 'complete'
    ? { status, complete: true, tag: {}, measurements: {} }
    : { status, complete: false, tag: null, measurements: null }),
  failure_reason: '',
  failure_code: '',
  ...noDetails,
  label: null,
})

describe('polls', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
    vi.setTimerTickMode('nextTimerAsync')
  })
  afterEach(() => void vi.useRealTimers())

  it.each(['complete', 'failed'] as const)('ends with a garment that is %s', async (status) => {
    const seen: string[] = []
    const statuses = [status, 'processing'] as Garment['status'][]
    const query = () => Promise.resolve(garment(statuses.pop() ?? 'queuing'))
    const result = await waitForEnd(query, { onPoll: (each) => seen.push(each.status) })
    expect([result.status, seen]).toEqual([status, ['processing', status]])
  })

  it.each([
    ['network', 0],
    ['rate_limited', 429],
    ['internal_error', 500],
    ['unexpected_response', 502],
  ] as const)('goes on after a poll that failed with %s', async (code, status) => {
    let polls = 0
    const query = async () => {
      if (polls++ === 0) throw new GarmentTaggingError(code, status, 'Down', [])
      return await Promise.resolve(garment('complete'))
    }
    expect((await waitForEnd(query, {})).status).toBe('complete')
  })

  it.each([
    ['configuration', 0],
    ['garment_not_found', 404],
  ] as const)('ends with a poll that failed with %s', async (code, status) => {
    const failure = new GarmentTaggingError(code, status, 'Wrong', [])
    await expect(waitForEnd(() => Promise.reject(failure), {})).rejects.toBe(failure)
  })
})

describe.concurrent('waiting for a garment', () => {
  it('never makes more than six requests in any minute, the upload included', () => {
    const times = [0]
    for (let polls = 0; polls < 100; polls++) times.push((times.at(-1) ?? 0) + pollDelayMs(polls))
    for (const from of times)
      expect(times.filter((at) => at >= from && at < from + 60_000).length).toBeLessThanOrEqual(6)
  })

  it('throws after its time limit', async () => {
    const waiting = waitForEnd(() => Promise.resolve(garment('queuing')), { waitMs: 50 })
    await expect(waiting).rejects.toThrow(GarmentTaggingError)
    await expect(waiting).rejects.toThrow('not tagged within 0.05 s')
  })

  it('says at its time limit why the garment was to be tried again', async () => {
    const retry = {
      failure_code: 'host_unreachable' as const,
      failure_reason: 'The image host could not be reached.',
      tries: 2,
      next_try_at: '2026-11-21T12:00:05.000Z',
    }
    const waiting = waitForEnd(() => Promise.resolve({ ...garment('queuing'), retry }), { waitMs: 50 })
    await expect(waiting).rejects.toThrow('It will be tried again: The image host could not be reached.')
  })

  it('says at its time limit why the last poll failed', async () => {
    const failure = new GarmentTaggingError('network', 0, 'Down', [])
    await expect(waitForEnd(() => Promise.reject(failure), { waitMs: 50 })).rejects.toThrow(
      'The last poll failed: Down',
    )
  })

  it('keeps its time limit while a poll has no answer', async () => {
    const query = async ({ signal }: CallOptions) => {
      await sleep(2 ** 31 - 1, signal)
      return garment('complete')
    }
    await expect(waitForEnd(query, { waitMs: 50 })).rejects.toThrow('not tagged within 0.05 s')
  })

  it('can be aborted', async () => {
    const controller = new AbortController()
    const waiting = waitForEnd(() => Promise.resolve(garment('queuing')), { signal: controller.signal })
    const reason = new Error('enough')
    controller.abort(reason)
    await expect(waiting).rejects.toBe(reason)
  })
})
