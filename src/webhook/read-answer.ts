/** Nobody needs more of an answer than this; counted after decompression, so that a small bomb does not become large. */
const maxBytes = 16 * 1024

/** How much of an answer is kept for the attempt's record. */
const keptBytes = 1024

/**
 * The first KiB of an answer as text without control characters. Reads to its end or to 16 KiB, whichever comes first,
 * then hangs up. Rejects with the signal's reason if that comes before.
 */
export async function readAnswer(response: Response, signal: AbortSignal): Promise<string> {
  if (response.body === null) return ''
  const reader = response.body.getReader()
  const kept = new Uint8Array(keptBytes)
  let length = 0
  try {
    while (length < maxBytes) {
      const { done, value } = await unlessAborted(reader.read(), signal)
      if (done) break
      if (length < keptBytes) kept.set(value.subarray(0, keptBytes - length), length)
      length += value.length
    }
  } finally {
    // Not awaited: a receiver that does not let go must not hold us.
    void reader.cancel().catch(() => {})
  }
  return printable(kept.subarray(0, Math.min(length, keptBytes)))
}

/** `stream: true` drops a character that was cut off at the end. */
function printable(bytes: Uint8Array): string {
  return new TextDecoder()
    .decode(bytes, { stream: true })
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
}

/** A stream need not settle when its request is aborted. */
async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted()
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const onAbort = () => reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([promise, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
