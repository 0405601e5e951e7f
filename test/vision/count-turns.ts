const { setTimeout: startTimer } = globalThis

/**
 * How many stretches of work `act` divides by yielding to the event loop, which takes two timers. `onTurn` is called at
 * the end of each.
 */
export async function countTurns(act: () => Promise<unknown>, onTurn = () => {}): Promise<number> {
  let turns = 1
  let timers = 0
  globalThis.setTimeout = ((callback: () => void, ms: number) => {
    if (++timers % 2 === 0) {
      turns++
      onTurn()
    }
    return startTimer(callback, ms)
  }) as never
  try {
    await act()
  } finally {
    globalThis.setTimeout = startTimer
  }
  return turns
}
