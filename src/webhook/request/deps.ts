import { ownHosts, type TargetPolicy } from '../../outbound/target.ts'
import type { Settings } from '../../settings.ts'
import { exchangeTimeoutMs, type CallDeps } from './call-receiver.ts'

/** `origin` is the address at which the tenant called the service, which is never called back. */
export function targetPolicy(settings: Settings, origin: string): TargetPolicy {
  return { allowLocal: settings.ALLOW_LOCAL_TARGETS, ownHosts: ownHosts(settings, origin), protocols: 'https' }
}

export function callDeps(settings: Settings, origin: string): CallDeps {
  return {
    fetch: (url, init) => fetch(url, init),
    now: Date.now,
    policy: targetPolicy(settings, origin),
    timeoutMs: exchangeTimeoutMs,
  }
}
