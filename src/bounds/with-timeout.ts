/** Waits no longer than that, whatever becomes of the signal, which is then aborted. Throws `toError()`. */
export async function withTimeout<T>(
  timeoutMs: number,
  toError: () => Error,
  act: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const abort = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(toError())
      abort.abort()
    }, timeoutMs)
  })
  try {
    return await Promise.race([act(abort.signal), timeout])
  } finally {
    clearTimeout(timer)
  }
}
