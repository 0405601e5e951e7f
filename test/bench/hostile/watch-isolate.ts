import { setTimeout as sleep } from 'node:timers/promises'
import { quantile } from '../../support/quantile.ts'

const pauseMs = 25

/** To ask for the heap stops the isolate. What is used grows until it is collected, so that little is missed. */
const heapPauseMs = 100

/** MB that the JavaScript heap of the service's isolate uses, asked for by its inspector. */
async function openHeap(port: number) {
  // Wrangler's inspector answers to its own origins only.
  const options = { headers: { Origin: 'http://localhost' } }
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, options as never)
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', reject)
  })
  const waiting = new Map<number, (mb: number) => void>()
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { id?: number; result?: { usedSize?: number } }
    if (id !== undefined) waiting.get(id)?.((result?.usedSize ?? 0) / 1_000_000)
  })
  let last = 0
  return {
    usedMb: async () =>
      await new Promise<number>((resolve) => {
        waiting.set(++last, resolve)
        socket.send(JSON.stringify({ id: last, method: 'Runtime.getHeapUsage' }))
      }),
    close: () => socket.close(),
  }
}

/**
 * The most that the heap uses, in MB, the longest that `/health` takes, and the 95th percentile of `other`, requests of
 * another tenant, in ms, while `act` runs.
 */
export async function watchIsolate(
  url: string,
  inspectorPort: number,
  act: () => Promise<void>,
  other: () => Promise<unknown> = async () => {},
) {
  const heap = await openHeap(inspectorPort)
  const state = { isRunning: true, heapMb: 0, healthMs: 0 }
  const polls = (async () => {
    while (state.isRunning) {
      const startedAt = performance.now()
      await (await fetch(`${url}/health`)).text()
      state.healthMs = Math.max(state.healthMs, performance.now() - startedAt)
      await sleep(pauseMs)
    }
  })()
  const looks = (async () => {
    while (state.isRunning) {
      state.heapMb = Math.max(state.heapMb, await heap.usedMb())
      await sleep(heapPauseMs)
    }
  })()
  const times: number[] = []
  const others = (async () => {
    while (state.isRunning) {
      const startedAt = performance.now()
      await other()
      times.push(performance.now() - startedAt)
      await sleep(pauseMs)
    }
  })()
  await act()
  state.isRunning = false
  await Promise.all([polls, looks, others])
  heap.close()
  return {
    heapMb: Math.round(state.heapMb),
    healthMs: Math.round(state.healthMs),
    othersMs: quantile(
      times.toSorted((a, b) => a - b),
      0.95,
    ),
  }
}
