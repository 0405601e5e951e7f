import { boundName } from '../../platform/limits/bound-text.ts'
import { formatCount } from '../../platform/format-count.ts'
import { type TargetPolicy, targetProblem } from '../../platform/outbound/target.ts'
import type { WebhookConfig } from '../webhook-fields.ts'
import { secretProblem } from './secret.ts'

const maxHeaders = 20
const maxValueLength = 1024

const nameForm = /^[A-Za-z0-9-]{1,64}$/
const printableAscii = /^[\x20-\x7e]*$/

/**
 * Refused custom headers. Framing headers (RFC 9110, 7.6.1) could smuggle requests, proxies' would claim a wrong
 * origin.
 */
const refusedNames = new Set(
  (
    'connection expect host http2-settings keep-alive te trailer trailers transfer-encoding upgrade cdn-loop ' +
    'fastly-client-ip forwarded true-client-ip via x-client-ip x-cluster-client-ip x-forwarded ' +
    'x-original-forwarded-for x-real-ip date set-cookie user-agent x-delivery-id'
  ).split(' '),
)
const refusedPrefixes = ['cf-', 'content-', 'proxy-', 'webhook-', 'x-forwarded-', 'x-webhook-']

function isRefused(name: string): boolean {
  const lower = name.toLowerCase()
  return refusedNames.has(lower) || refusedPrefixes.some((prefix) => lower.startsWith(prefix))
}

/** Returns why these custom headers cannot be sent: a sentence for each problem, beginning with its field. */
export function headerProblems(headers: Readonly<Record<string, string>>): string[] {
  const entries = Object.entries(headers)
  const problems = entries.length > maxHeaders ? [`headers: must be at most ${maxHeaders}`] : []
  const seen = new Set<string>()
  for (const [name, value] of entries) {
    const lower = name.toLowerCase()
    const field = `headers.${boundName(name)}`
    if (!nameForm.test(name)) problems.push(`${field}: name must be 1 to 64 letters, digits and "-"`)
    else if (isRefused(name)) problems.push(`${field}: is set by the service and cannot be replaced`)
    else if (seen.has(lower)) problems.push(`${field}: is given twice`)
    if (!printableAscii.test(value) || value.length > maxValueLength)
      problems.push(`${field}: value must be at most ${formatCount(maxValueLength)} printable ASCII characters`)
    seen.add(lower)
  }
  return problems
}

export function configProblems(config: WebhookConfig, policy: TargetPolicy): string[] {
  const url = config.url === '' ? null : targetProblem(config.url, policy)
  const secret = secretProblem(config.secret)
  return [
    ...(config.enabled && config.url === '' ? ['URL is required when webhook is enabled'] : []),
    ...(url === null ? [] : [`url: ${url}`]),
    ...(secret === null ? [] : [`secret: ${secret}`]),
    ...headerProblems(config.headers),
  ]
}
