/** Nobody needs more of an answer than this; counted after decompression, so that a small bomb does not become large. */
const maxBytes = 16 * 1024

/** How much of an answer is kept for the attempt's record. */
const keptBytes = 1024

/**
 * The first KiB of an answer as text without control characters. Reads to its end or to 16 KiB, whichever comes first,
 * then hangs up. Rejects when the request is aborted before.
 */
export async function readAnswer(response: Response): Promise<string> {
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
