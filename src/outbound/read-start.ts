/** Counted after decompression, so that a compressed bomb is not inflated in memory. */
const maxBytes = 16 * 1024

/** Enough for the record of a delivery attempt, and to recognise an error page. */
const keptBytes = 1024

/**
 * The first KiB of an answer as text without control characters. Reads to the end or to 16 KiB, whichever comes first,
 * and cancels the rest. If the body breaks off, cannot be decoded or the request is aborted, what has arrived counts:
 * an answer's status has said all that matters before.
 */
export async function readStart(response: Response): Promise<string> {
  if (response.body === null) return ''
  const reader = response.body.getReader()
  const kept = new Uint8Array(keptBytes)
  let length = 0
  try {
    while (length < maxBytes) {
      const { done, value } = await reader.read()
      if (done) break
      if (length < keptBytes) kept.set(value.subarray(0, keptBytes - length), length)
      length += value.length
    }
  } catch {
    // The body ends here.
  } finally {
    // Not awaited, because a receiver could delay it.
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
