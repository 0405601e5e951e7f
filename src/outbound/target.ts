export interface TargetPolicy {
  /** Lifts every rule about where a target may be; what an address must look like stays. Only for local development. */
  readonly allowLocal: boolean
  /** Names under which this service is reached, in lower case and without a port: we never call ourselves. */
  readonly ownHosts: readonly string[]
  readonly protocols: 'https' | 'http or https'
}

export const maxUrlLength = 2048

/** `[::1]` after URL parsing; every spelling of an IPv4 address (decimal, octal, hex, short) is dotted by then. */
const ipLiteral = /^\[|^\d+\.\d+\.\d+\.\d+$/

const privateName = /(^|\.)(localhost|local|internal)$/

/**
 * Why `url` must not be called, as the end of a sentence ("must be ..."), or null if it may be. Names are not resolved:
 * a Worker cannot pin the address it connects to, so what a name resolves to is left to the network, which leads to no
 * private address of ours. Ask again for each redirect.
 */
export function targetProblem(url: string, policy: TargetPolicy): string | null {
  if (url.length > maxUrlLength) return `must have at most ${maxUrlLength.toLocaleString('en-US')} characters`
  // The URL parser would drop these silently, so that what is called would differ from what is shown.
  if (/[\p{Cc}\s]/u.test(url) || !URL.canParse(url)) return 'must be a valid URL'
  const { protocol, hostname, username, password } = new URL(url)
  if (protocol !== 'https:' && protocol !== 'http:') return `must be an ${policy.protocols} URL`
  if (username !== '' || password !== '') return 'must not contain a user name or password'
  if (policy.allowLocal) return null
  if (policy.protocols === 'https' && protocol !== 'https:') return 'must be an https URL'
  if (ipLiteral.test(hostname)) return 'must name a host, not an IP address'
  if (hostname.endsWith('.')) return 'must name a host without a dot at its end'
  if (privateName.test(hostname) || !hostname.includes('.')) return 'must name a host on the public internet'
  if (policy.ownHosts.includes(hostname)) return 'must not be an address of this service'
  return null
}

/** The host names of our own addresses, for `ownHosts`; those that are unset are left out. */
export function hostsOf(...origins: readonly (string | undefined)[]): string[] {
  return origins.flatMap((origin) => (origin !== undefined && URL.canParse(origin) ? [new URL(origin).hostname] : []))
}
