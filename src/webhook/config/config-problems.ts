import { targetProblem, type TargetPolicy } from '../../outbound/target.ts'
import type { WebhookConfig } from './config-request.ts'
import { headerProblems } from './custom-headers.ts'
import { secretProblem } from './secret.ts'

/** Why this configuration cannot be used: a sentence for each problem. */
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
