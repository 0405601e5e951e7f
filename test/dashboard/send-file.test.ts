import { afterEach, beforeEach, expect, it, vi } from 'vitest'
// @ts-expect-error: page scripts have no types.
import { sendFile } from '../../src/dashboard/public/assets/scripts/upload/send-file.js'

/** Stands in for the browser's requests. A test decides what happens to each. */
class FakeRequest extends EventTarget {
  static sent: FakeRequest[] = []
  readonly upload = new EventTarget()
  status = 0
  responseText = ''
  isAborted = false
  open() {}
  setRequestHeader() {}
  getResponseHeader() {
    return null
  }
  send() {
    FakeRequest.sent.push(this)
  }
  abort() {
    this.isAborted = true
    this.dispatchEvent(new Event('loadend'))
  }
  progress(loaded: number) {
    this.upload.dispatchEvent(Object.assign(new Event('progress'), { loaded, total: 100 }))
  }
  answer(status: number, data: object) {
    Object.assign(this, { status, responseText: JSON.stringify(data) })
    this.dispatchEvent(new Event('loadend'))
  }
}

const newRow = () => ({
  showProgress: vi.fn<(share: number) => void>(),
  showState: vi.fn<(text: string) => void>(),
  showUploaded: vi.fn<(uuid: string) => void>(),
  showProblem: vi.fn<(text: string) => void>(),
})

beforeEach(() => {
  FakeRequest.sent = []
  vi.stubGlobal('XMLHttpRequest', FakeRequest)
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const request = (index: number) => {
  const sent = FakeRequest.sent[index]
  if (sent === undefined) throw new Error(`Request ${index} was not sent`)
  return sent
}

it('an upload without progress for 30 seconds is aborted and sent again', async () => {
  const row = newRow()
  const line = sendFile('/file', {}, row)
  await vi.advanceTimersByTimeAsync(29_000)
  request(0).progress(40)
  await vi.advanceTimersByTimeAsync(29_000)
  request(0).progress(60)
  expect(request(0).isAborted).toBe(false)
  await vi.advanceTimersByTimeAsync(30_000)
  expect(request(0).isAborted).toBe(true)
  expect(row.showState).toHaveBeenLastCalledWith('The upload stalled. Sending it again')
  await vi.advanceTimersByTimeAsync(1000)
  request(1).progress(100)
  request(1).answer(200, { uuid: 'a', line: 7 })
  expect(await line).toEqual({ uuid: 'a', line: 7 })
  expect(row.showUploaded).toHaveBeenCalledWith('a', undefined)
  expect(FakeRequest.sent).toHaveLength(2)
})

it('each further try may stall for longer, so that a slow answer arrives in the end', async () => {
  const line = sendFile('/file', {}, newRow())
  await vi.advanceTimersByTimeAsync(31_000)
  await vi.advanceTimersByTimeAsync(59_000)
  expect(request(1).isAborted).toBe(false)
  request(1).answer(200, { uuid: 'a', line: 1 })
  expect(await line).toEqual({ uuid: 'a', line: 1 })
})

it('an answered upload is never sent again, and a refused one shows why', async () => {
  const row = newRow()
  const line = sendFile('/file', {}, row)
  await vi.advanceTimersByTimeAsync(10_000)
  request(0).answer(413, { problems: ['image: is too large'] })
  expect(await line).toBeNull()
  expect(row.showProblem).toHaveBeenCalledWith('Is too large.')
  await vi.advanceTimersByTimeAsync(300_000)
  expect(FakeRequest.sent).toHaveLength(1)
})
