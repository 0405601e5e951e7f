import type { Settings } from '../../settings.ts'
import { exchangeTimeoutMs, type Outside } from './call-receiver.ts'
import { hostsOf, type TargetPolicy } from '../../outbound/target.ts'

/** `origin` is the service's address as the tenant called it: we do not call that, nor our public address. */
export function targetPolicy(settings: Settings, origin: string): TargetPolicy {
  return {
    allowLocal: settings.ALLOW_LOCAL_TARGETS,
    ownHosts: hostsOf(settings.PUBLIC_URL, origin),
    protocols: 'https',
  }
}

/** The real world. */
export function outsideOf(settings: Settings, origin: string): Outside {
  return {
    fetch: (url, init) => fetch(url, init),
    now: Date.now,
    policy: targetPolicy(settings, origin),
    timeoutMs: exchangeTimeoutMs,
  }
}
