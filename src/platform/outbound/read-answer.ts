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

/** Why no HTTP answer came from a host. */
export type ConnectionProblem = 'host_not_found' | 'connection_failed' | 'tls_handshake_failed'

/**
 * What `fetch` threw. The platform's own message is not passed on: it describes this service's side, and does not
 * distinguish a refused connection from a lost one.
 */
export function problemOfError(error: unknown): ConnectionProblem {
  const text = String(error)
  if (/dns|resolve|getaddrinfo|name or service/i.test(text)) return 'host_not_found'
  if (/tls|ssl|certificate/i.test(text)) return 'tls_handshake_failed'
  return 'connection_failed'
}

/** Cloudflare's codes for names that do not resolve; the other codes below come with a name that does. */
const unresolvedCodes = [1001, 1016, 1018]

/** Cloudflare's statuses for a missing answer: 520 to 524, 525 and 526 for TLS, 530 for the rest. */
const tlsStatuses = [525, 526]
const firstStatus = 520
const lastConnectionStatus = 526
const dnsStatus = 530

/** Whether status and headers are those of Cloudflare's error pages; only then the body is read. */
export function mayBePlatformAnswer({ status, headers }: Response): boolean {
  const isInRange = (status >= firstStatus && status <= lastConnectionStatus) || status === dnsStatus
  return isInRange && headers.get('server') === 'cloudflare' && headers.has('cf-ray')
}

/**
 * What an answer of Cloudflare itself says, or null if the answer is the host's own. In production `fetch` does not
 * throw if a host cannot be reached: it returns one of Cloudflare's error pages. A host may use the same statuses, so
 * the page itself must be Cloudflare's too. `body` is at least the first KiB of the body.
 */
export function problemOfPlatformAnswer(response: Response, body: string): ConnectionProblem | null {
  const { status } = response
  const code = mayBePlatformAnswer(response) ? codeOfPage(body) : null
  if (code === null) return null
  if (status === dnsStatus && code >= 1000)
    return unresolvedCodes.includes(code) ? 'host_not_found' : 'connection_failed'
  if (code !== status) return null
  return tlsStatuses.includes(status) ? 'tls_handshake_failed' : 'connection_failed'
}

/** The code that one of Cloudflare's error pages names: as plain text, or in the title of its HTML. */
function codeOfPage(body: string): number | null {
  const plain = /^error code: (\d{3,4})\s*$/.exec(body)
  const title = /<title>[^<]{1,300}\| (5\d\d): [^<]{1,100}<\/title>/.exec(body)
  const dnsTitle = /<title>(?:Origin DNS error|DNS resolution error) \| [^<]{1,300} \| Cloudflare<\/title>/.exec(body)
  const code = plain?.[1] ?? title?.[1]
  if (code !== undefined) return Number(code)
  return dnsTitle === null ? null : 1016
}
