const { setTimeout: startTimer } = globalThis

/** Between how many turns of the event loop `act` divides its work. `onTurn` is called at the end of each. */
export async function countTurns(act: () => Promise<unknown>, onTurn = () => {}): Promise<number> {
  let turns = 1
  globalThis.setTimeout = ((callback: () => void, ms: number) => {
    turns++
    onTurn()
    return startTimer(callback, ms)
  }) as never
  try {
    await act()
  } finally {
    globalThis.setTimeout = startTimer
  }
  return turns
}
