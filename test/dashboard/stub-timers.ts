import { vi } from 'vitest'

/**
 * Makes `setTimeout` call back at once, and returns a function with the total waiting time in ms. Other tests do not
 * get these timers, because nothing else runs in the isolate until the script waits for something else.
 */
export function stubTimers(): () => number {
  let waitedMs = 0
  vi.stubGlobal('setTimeout', (callback: () => void, ms: number) => {
    waitedMs += ms
    queueMicrotask(callback)
  })
  return () => waitedMs
}
