import { formatCount } from '../format-count.ts'
import type { Settings } from '../../settings.ts'

export interface TargetPolicy {
  /** Allows any host, for local development. */
  readonly allowLocal: boolean
  /** Host names of this service, in lower case without a port. */
  readonly ownHosts: readonly string[]
  readonly protocols: 'https' | 'http or https'
}

export const maxUrlLength = 2048

/** Feeds and spreadsheets often contain URLs escaped for HTML, even twice. */
export const unescapeAmpersands = (url: string): string => url.replaceAll(/&(?:(?:amp|#0*38|#x0*26);)+/gi, '&')

/** Matches a second URL behind the first, because spreadsheets may join several URLs in a cell. */
const anotherUrl = /[;|\s]\s*https?:\/\//i

/** Matches IP addresses in parsed URLs, where every IPv4 address is dotted. */
const ipLiteral = /^\[|^\d+\.\d+\.\d+\.\d+$/

/** Matches names that are never public (RFC 6761, 6762, 7686, 8375) or internal by convention. */
const privateName = /(^|\.)(localhost|localhost\.localdomain|local|internal|lan|home\.arpa|svc|onion)$/

const targetProblems = {
  missing: 'is required',
  too_long: `must have at most ${formatCount(maxUrlLength)} characters`,
  several_urls: 'must be one URL, not several',
  blank_inside: 'must not contain a blank; write it as %20',
  not_a_url: 'must be a valid URL',
  not_http: 'must be an http or https URL',
  not_https: 'must be an https URL',
  credentials: 'must not contain a user name or password',
  ip_address: 'must name a host, not an IP address',
  final_dot: 'must name a host without a dot at its end',
  private_host: 'must name a host on the public internet',
  own_host: 'must not be an address of this service',
}

export type TargetProblem = keyof typeof targetProblems

export const describeTargetProblem = (problem: TargetProblem): string => targetProblems[problem]

/** Returns why `url` must not be called ("must be ..."), or null if it may be called. */
export function targetProblem(url: string, policy: TargetPolicy): string | null {
  const problem = findTargetProblem(url, policy)
  return problem === null ? null : describeTargetProblem(problem)
}

/**
 * Returns the code of why `url` must not be called, or null. Names are not resolved, because a Worker cannot choose the
 * IP address and Cloudflare does not reach private ones. Check each redirect again.
 */
export function findTargetProblem(url: string, policy: TargetPolicy): TargetProblem | null {
  if (url.trim() === '') return 'missing'
  if (url.length > maxUrlLength) return 'too_long'
  if (anotherUrl.test(url.trim())) return 'several_urls'
  if (/\S[ \u{a0}]+\S/u.test(url)) return 'blank_inside'
  // The URL parser drops these characters, so the called URL would differ from the shown one.
  const parsed = /[\p{Cc}\p{Cs}\s]/u.test(url) ? null : URL.parse(url)
  if (parsed === null) return 'not_a_url'
  const { protocol, hostname, username, password } = parsed
  if (protocol !== 'https:' && protocol !== 'http:') return policy.protocols === 'https' ? 'not_https' : 'not_http'
  if (username !== '' || password !== '') return 'credentials'
  if (policy.allowLocal) return null
  if (policy.protocols === 'https' && protocol !== 'https:') return 'not_https'
  if (ipLiteral.test(hostname)) return 'ip_address'
  if (hostname.endsWith('.')) return 'final_dot'
  if (privateName.test(hostname) || !hostname.includes('.')) return 'private_host'
  if (policy.ownHosts.includes(hostname)) return 'own_host'
  return null
}

/** `origin` is the address at which the service was called. */
export function ownHosts(settings: Pick<Settings, 'OWN_HOSTS' | 'PUBLIC_URL'>, origin: string): string[] {
  const urls = [settings.PUBLIC_URL, origin].flatMap((url) => (url === undefined ? [] : (URL.parse(url) ?? [])))
  return [...urls.map(({ hostname }) => hostname), ...settings.OWN_HOSTS]
}
