import type { Answer } from '../../events/delivery-transitions.ts'
import { problemOfError, problemOfPlatformAnswer, readStart } from '../../platform/outbound/read-answer.ts'
import { findTargetProblem, ownHosts, type TargetPolicy } from '../../platform/outbound/target.ts'
import { storeDeliveryError } from '../../events/delivery-error.ts'
import type { Settings } from '../../settings.ts'

/** Limits the exchange, from the name look-up to the end of the answer. */
export const exchangeTimeoutMs = 15_000

/** Limits the answer's body, which is only shown in the list of attempts. */
const bodyTimeoutMs = 2000

export interface Call {
  readonly url: string
  readonly headers: Headers
  readonly body: Uint8Array
}

export interface CallDeps {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  readonly now: () => number
  readonly policy: TargetPolicy
  readonly timeoutMs: number
}

/**
 * Posts to a receiver under all limits: allowed targets, no redirects, 15 s, 16 KiB of answer. The status decides
 * success as soon as it arrives, and the body is read as far as it arrives. Returns failures as answers and never
 * throws.
 */
export async function callReceiver({ url, headers, body }: Call, deps: CallDeps): Promise<Answer> {
  const startedAt = deps.now()
  const answer = (rest: Partial<Answer>): Answer => ({
    ok: false,
    status: null,
    error: null,
    body: '',
    retryAfter: null,
    durationMs: deps.now() - startedAt,
    ...rest,
  })
  const problem = findTargetProblem(url, deps.policy)
  if (problem !== null) return answer({ error: storeDeliveryError('not_called', { problem }) })
  const controller = new AbortController()
  const abort = () => controller.abort()
  const timer = setTimeout(abort, deps.timeoutMs)
  let bodyTimer: ReturnType<typeof setTimeout> | undefined
  try {
    const response = await deps.fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers,
      body,
      signal: controller.signal,
    })
    bodyTimer = setTimeout(abort, bodyTimeoutMs)
    const text = await readStart(response)
    const connectionProblem = problemOfPlatformAnswer(response, text)
    if (connectionProblem !== null) return answer({ error: storeDeliveryError(connectionProblem) })
    const { ok, status } = response
    const retryAfter = response.headers.get('retry-after')
    return answer({ ok, status, body: text, retryAfter, error: ok ? null : statusError(response) })
  } catch (error) {
    return answer({
      error: controller.signal.aborted
        ? storeDeliveryError('timeout', { seconds: deps.timeoutMs / 1000 })
        : storeDeliveryError(problemOfError(error)),
    })
  } finally {
    clearTimeout(timer)
    clearTimeout(bodyTimer)
  }
}

function statusError({ status, statusText }: Response): string {
  const phrase = statusText.replace(/[^\x20-\x7e]+/g, ' ').slice(0, 100)
  return storeDeliveryError(status >= 300 && status < 400 ? 'redirect' : 'http_status', { status, phrase })
}

/** Excludes `origin`, at which the service was called, because the service never calls itself. */
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
