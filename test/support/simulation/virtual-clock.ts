interface Timer {
  readonly at: number
  readonly order: number
  readonly ring: () => void
}

/**
 * A clock that jumps to the next timer when nothing else is left to do, so hours are simulated in seconds. `turn` waits
 * until the runtime has done everything possible without a timer.
 */
export function createVirtualClock(startMs: number, turn: () => Promise<void>) {
  /** Timers as a heap, earliest first. */
  const timers: Timer[] = []
  let [nowMs, made] = [startMs, 0]
  const isBefore = (a: Timer, b: Timer) => a.at < b.at || (a.at === b.at && a.order < b.order)

  function push(timer: Timer): void {
    let i = timers.push(timer) - 1
    while (i > 0) {
      const parent = (i - 1) >> 1
      const above = timers[parent]
      if (above === undefined || !isBefore(timer, above)) break
      timers[i] = above
      i = parent
    }
    timers[i] = timer
  }

  function pop(): Timer | undefined {
    const [first] = timers
    const last = timers.pop()
    if (first === undefined || last === undefined || timers.length === 0) return first
    let i = 0
    for (;;) {
      let child = 2 * i + 1
      const [left, right] = [timers[child], timers[child + 1]]
      if (left === undefined) break
      if (right !== undefined && isBefore(right, left)) child++
      const next = timers[child] ?? left
      if (!isBefore(next, last)) break
      timers[i] = next
      i = child
    }
    timers[i] = last
    return first
  }

  const after = (ms: number, ring: () => void) => push({ at: nowMs + Math.max(ms, 0), order: made++, ring })
  return {
    now: () => nowMs,
    after,
    sleep: async (ms: number) => await new Promise<void>((resolve) => after(ms, resolve)),
    /** Advances time until the condition holds. Throws if no timer is left. */
    async runUntil(isDone: () => boolean): Promise<void> {
      await turn()
      while (!isDone()) {
        const timer = pop()
        if (timer === undefined) throw new Error('Nothing is left to happen')
        nowMs = timer.at
        timer.ring()
        await turn()
      }
    },
  }
}

export type VirtualClock = ReturnType<typeof createVirtualClock>
