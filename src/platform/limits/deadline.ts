/** A shorter body of known length takes hardly any memory, so it has no deadline. */
const shortBytes = 4096

/** Returns the request with a body that fails with `toError()` unless it arrives within `ms`. */
export function withDeadline(request: Request, ms: number, toError: () => Error): Request {
  const { url, method, headers, body } = request
  if (body === null || Number(headers.get('content-length') ?? Infinity) <= shortBytes) return request
  return new Request(url, { method, headers, body: arriving(body, ms, toError) })
}

/** Returns a stream that fails with `toError()` unless it arrives within `ms`. No timer runs while nobody reads. */
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

/** Awaits `act` for at most `timeoutMs`. Then it aborts the signal with `toError()` and throws that error. */
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
