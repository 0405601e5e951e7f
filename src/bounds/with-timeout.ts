/** Waits no longer than that, whatever becomes of the signal. It is aborted with the error that is then thrown. */
export async function withTimeout<T>(
  timeoutMs: number,
  toError: () => Error,
  act: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const abort = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const error = toError()
      reject(error)
      abort.abort(error)
    }, timeoutMs)
  })
  try {
    return await Promise.race([act(abort.signal), timeout])
  } finally {
    clearTimeout(timer)
  }
}
