import { readAnswer } from './read-answer.ts'
import { targetProblem, type TargetPolicy } from '../../outbound/target.ts'

/** For the whole exchange: name, connection, answer, and what is read of its body. */
export const exchangeTimeoutMs = 15_000

export interface Call {
  readonly url: string
  readonly headers: Headers
  readonly body: Uint8Array
}

export interface Answer {
  /** A 2xx that came whole (or as much of it as we read) in time. */
  readonly ok: boolean
  /** 0 where no HTTP answer came. */
  readonly status: number
  /** `HTTP 500: Internal Server Error`, `Timeout after 15 s` ...; empty on success. */
  readonly error: string
  /** The first KiB of the answer, without control characters. */
  readonly body: string
  readonly retryAfter: string | null
  readonly durationMs: number
}

export interface Outside {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  readonly now: () => number
  readonly policy: TargetPolicy
  readonly timeoutMs: number
}

/**
 * Posts to a receiver under all limits: only where we may call, never through a redirect, 15 s for the exchange, 16 KiB
 * of the answer. Every call to a receiver goes through here. Does not throw: a receiver's failure is an answer too.
 */
export async function callReceiver({ url, headers, body }: Call, outside: Outside): Promise<Answer> {
  const startedAt = outside.now()
  const answer = (rest: Partial<Answer>): Answer => ({
    ok: false,
    status: 0,
    error: '',
    body: '',
    retryAfter: null,
    durationMs: outside.now() - startedAt,
    ...rest,
  })
  const problem = targetProblem(url, outside.policy)
  if (problem !== null) return answer({ error: `Not called: url ${problem}` })
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(new Error('timeout')), outside.timeoutMs)
  let response: Response | undefined
  try {
    response = await outside.fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers,
      body,
      signal: controller.signal,
    })
    const text = await readAnswer(response)
    const { ok, status } = response
    const retryAfter = response.headers.get('retry-after')
    return answer({ ok, status, body: text, retryAfter, error: ok ? '' : describeStatus(response) })
  } catch (error) {
    const status = response?.status ?? 0
    if (controller.signal.aborted) return answer({ status, error: `Timeout after ${outside.timeoutMs / 1000} s` })
    return answer({ status, error: describeFault(error) })
  } finally {
    clearTimeout(timer)
  }
}

function describeStatus({ status, statusText }: Response): string {
  const phrase = statusText.replace(/[^\x20-\x7e]+/g, ' ').slice(0, 100)
  const line = phrase === '' ? `HTTP ${status}` : `HTTP ${status}: ${phrase}`
  return status >= 300 && status < 400 ? `${line} (redirects are not followed)` : line
}

/** The platform's own words are not passed on: they speak of our side. It does not tell a refused connection from a lost one. */
function describeFault(error: unknown): string {
  const text = String(error)
  if (/dns|resolve|getaddrinfo|name or service/i.test(text)) return 'Host not found'
  if (/tls|ssl|certificate/i.test(text)) return 'TLS handshake failed'
  return 'Connection failed'
}
