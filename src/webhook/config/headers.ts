const maxHeaders = 20
const maxValueLength = 1024

const nameForm = /^[A-Za-z0-9-]{1,64}$/
const printableAscii = /^[\x20-\x7e]*$/

/**
 * Hop-by-hop and framing headers (RFC 9110, 7.6.1) would break or smuggle requests; what proxies add would lie about
 * where a request comes from; the rest is ours to set, the signature above all.
 */
const refusedNames = new Set([
  'connection',
  'expect',
  'forwarded',
  'cdn-loop',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'trailers',
  'transfer-encoding',
  'upgrade',
  'user-agent',
  'via',
  'x-delivery-id',
  'x-real-ip',
])
const refusedPrefixes = ['cf-', 'content-', 'proxy-', 'webhook-', 'x-forwarded-', 'x-webhook-']

const isRefused = (name: string) =>
  refusedNames.has(name) || refusedPrefixes.some((prefix) => name.startsWith(prefix)) || name === 'x-forwarded'

/** Why these custom headers cannot be sent: one sentence a problem, each beginning with its field. */
export function headerProblems(headers: Readonly<Record<string, string>>): string[] {
  const entries = Object.entries(headers)
  const problems = entries.length > maxHeaders ? [`headers: must be at most ${maxHeaders}`] : []
  const seen = new Set<string>()
  for (const [name, value] of entries) {
    const lower = name.toLowerCase()
    const field = `headers.${name}`
    if (!nameForm.test(name)) problems.push(`${field}: name must be 1 to 64 letters, digits and "-"`)
    else if (isRefused(lower)) problems.push(`${field}: is set by the service and cannot be replaced`)
    else if (seen.has(lower)) problems.push(`${field}: is given twice`)
    if (!printableAscii.test(value) || value.length > maxValueLength)
      problems.push(
        `${field}: value must be at most ${maxValueLength.toLocaleString('en-US')} printable ASCII characters`,
      )
    seen.add(lower)
  }
  return problems
}
