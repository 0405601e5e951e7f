/** Limits decompressed bytes, because an answer may be a decompression bomb. */
const maxBytes = 16 * 1024

const startBytes = 1024

/**
 * Returns the first KiB of an answer as text without control characters. Reads at most 16 KiB and cancels the rest.
 * Returns what has arrived if the body breaks off, because only the status matters.
 */
export async function readStart(response: Response): Promise<string> {
  if (response.body === null) return ''
  const reader = response.body.getReader()
  const start = new Uint8Array(startBytes)
  let length = 0
  try {
    while (length < maxBytes) {
      const { done, value } = await reader.read()
      if (done) break
      if (length < startBytes) start.set(value.subarray(0, startBytes - length), length)
      length += value.length
    }
  } catch {
    // The text ends where the body breaks off.
  } finally {
    // Not awaited, because a receiver could delay the cancellation.
    void reader.cancel().catch(() => {})
  }
  return toPrintable(start.subarray(0, Math.min(length, startBytes)))
}

/** Drops a character that was cut off at the end (`stream: true`). */
function toPrintable(bytes: Uint8Array): string {
  return new TextDecoder()
    .decode(bytes, { stream: true })
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
}

/** Why a host gave no HTTP answer. */
export type ConnectionProblem = 'host_not_found' | 'connection_failed' | 'tls_handshake_failed'

/** Returns the problem behind an error of `fetch`, which does not tell refused from lost connections. */
export function problemOfError(error: unknown): ConnectionProblem {
  const text = String(error)
  if (/dns|resolve|getaddrinfo|name or service/i.test(text)) return 'host_not_found'
  if (/tls|ssl|certificate/i.test(text)) return 'tls_handshake_failed'
  return 'connection_failed'
}

/** Cloudflare's codes for names that do not resolve. */
const unresolvedCodes = [1001, 1016, 1018]

/** Cloudflare's statuses for a missing answer: 520 to 524 for connections, 525 and 526 for TLS, 530 for DNS. */
const tlsStatuses = [525, 526]
const firstStatus = 520
const lastConnectionStatus = 526
const dnsStatus = 530

/** Whether status and headers look like a Cloudflare error page, so that the body must be checked. */
export function mayBePlatformAnswer({ status, headers }: Response): boolean {
  const isInRange = (status >= firstStatus && status <= lastConnectionStatus) || status === dnsStatus
  return isInRange && headers.get('server') === 'cloudflare' && headers.has('cf-ray')
}

/**
 * Returns the problem that a Cloudflare error page reports, or null for the host's own answer. Deployed, `fetch`
 * returns such a page for an unreachable host. `body` needs the first KiB.
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

/** Returns the code in a Cloudflare error page, from plain text or the HTML title. */
function codeOfPage(body: string): number | null {
  const plain = /^error code: (\d{3,4})\s*$/.exec(body)
  const title = /<title>[^<]{1,300}\| (5\d\d): [^<]{1,100}<\/title>/.exec(body)
  const dnsTitle = /<title>(?:Origin DNS error|DNS resolution error) \| [^<]{1,300} \| Cloudflare<\/title>/.exec(body)
  const code = plain?.[1] ?? title?.[1]
  if (code !== undefined) return Number(code)
  return dnsTitle === null ? null : 1016
}
