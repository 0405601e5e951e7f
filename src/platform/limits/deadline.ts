/** A shorter body with a known length takes hardly any memory, however long it stays. */
const shortBytes = 4096

/**
 * The request, whose body fails with `toError()` if it has not arrived after `ms`, so that nobody keeps memory by
 * sending slowly.
 */
export function withDeadline(request: Request, ms: number, toError: () => Error): Request {
  const { url, method, headers, body } = request
  if (body === null || Number(headers.get('content-length') ?? Infinity) <= shortBytes) return request
  return new Request(url, { method, headers, body: arriving(body, ms, toError) })
}

/** The stream, which fails with `toError()` if it has not arrived after `ms`. No timer runs while nobody reads. */
export function arriving(
  source: ReadableStream<Uint8Array>,
  ms: number,
  toError: () => Error,
): ReadableStream<Uint8Array> {
  const reader = source.getReader()
  const until = Date.now() + ms
  return new ReadableStream({
    async pull(controller) {
      try {
        const { value, done } = await withTimeout(until - Date.now(), toError, async () => await reader.read())
        if (done) controller.close()
        else controller.enqueue(value)
      } catch (error) {
        void reader.cancel(error).catch(() => {})
        throw error
      }
    },
    cancel: async (reason) => await reader.cancel(reason),
  })
}

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
