/**
 * Runs tasks one after the other in the order they came. Two large pictures decoded side by side would not fit an
 * isolate's memory.
 */
export function oneAtATime(): <T>(task: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return async (task) => {
    const run = last.then(task)
    last = run.catch(() => undefined)
    return await run
  }
}
