import { vi } from 'vitest'

/**
 * Makes `setTimeout` of a page's script run at once, and returns what it has waited for in all, in milliseconds. Until
 * the script waits for something else, nothing else runs in the isolate, and so no other test gets these timers.
 */
export function stubTimers(): () => number {
  let waitedMs = 0
  vi.stubGlobal('setTimeout', (callback: () => void, ms: number) => {
    waitedMs += ms
    queueMicrotask(callback)
  })
  return () => waitedMs
}
