import { parseRetryAfter } from '../platform/http/retry-after.ts'
import { type ApiRequest, type ClientOptions, credentialHeaders, GarmentTaggingError } from './connection.ts'
import type { ServiceFailureCode } from './types.ts'

/** Waits. If the signal is aborted, rejects at once with its reason. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted()
  await new Promise<void>((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, ms)
    signal?.addEventListener('abort', abort, { once: true })
  })
}

interface Answer {
  readonly headers: Headers
  readonly text: string
}

interface Envelope {
  readonly status: boolean
  readonly data: unknown
  readonly error: readonly string[]
  readonly message: string
  readonly code?: ServiceFailureCode
}

/** Returns the pause before a retry without `Retry-After`: 1 s, 2 s, 4 s, ... up to 30 s, plus up to 20 % jitter. */
const backOffMs = (retries: number) => Math.min(1000 * 2 ** retries, 30_000) * (1 + Math.random() * 0.2)

/** Result of a repeated deletion, whose first request has already deleted everything. */
const deleted: Answer = {
  headers: new Headers(),
  text: JSON.stringify({ status: true, data: {}, error: [], message: '' } satisfies Envelope),
}

/**
 * Sends a request and repeats it after 429. Repeatable requests are also repeated after 503 or a missing response, when
 * the first one may have been handled. Throws a `GarmentTaggingError` unless the response is a success.
 */
export async function send(options: ClientOptions, request: ApiRequest): Promise<Answer> {
  const { maxRetries = 5, maxRetryWaitMs = 90_000, maxUnansweredMs = 30_000, onRetry } = options
  let silentSince: number | undefined
  let mayBeHandled = false
  for (let retries = 0; ; retries++) {
    const startedAt = Date.now()
    const answer = await attempt(options, request)
    if (!(answer instanceof GarmentTaggingError)) return answer
    const { status, retryAfterMs } = answer
    if (status === 404 && request.method === 'DELETE' && mayBeHandled) return deleted
    const isUncertain = status === 0 || status === 503
    mayBeHandled ||= isUncertain
    const waitMs = retryAfterMs ?? backOffMs(retries)
    silentSince = status === 0 ? (silentSince ?? startedAt) : undefined
    const isSilentTooLong = silentSince !== undefined && Date.now() + waitMs - silentSince > maxUnansweredMs
    const repeat = status === 429 || (isUncertain && request.repeatable === true && !isSilentTooLong)
    if (!repeat || retries >= maxRetries || waitMs > maxRetryWaitMs) throw answer
    onRetry?.(answer, waitMs)
    await sleep(waitMs, request.signal)
  }
}

async function sendForData<T>(options: ClientOptions, request: ApiRequest): Promise<T> {
  const { text } = await send(options, request)
  const envelope = parseEnvelope(text)
  if (envelope === null)
    throw new GarmentTaggingError(unexpected, 200, notOurs, [`${request.path} gave no JSON envelope.`])
  return envelope.data as T
}

/**
 * Returns a function per HTTP method. POST is not repeatable, nor is any write of a merchant, which may revoke the
 * token.
 */
export function createRequests(options: ClientOptions, scope: ApiRequest['scope']) {
  const by =
    (method: ApiRequest['method'], repeatable: boolean) =>
    async <T>(path: string, more: Partial<ApiRequest> = {}): Promise<T> =>
      await sendForData(options, { scope, method, path, repeatable, ...more })
  const repeatsWrites = scope !== 'merchant'
  return {
    get: by('GET', true),
    post: by('POST', false),
    put: by('PUT', repeatsWrites),
    patch: by('PATCH', repeatsWrites),
    remove: by('DELETE', repeatsWrites),
  }
}

const notOurs = 'The response is not from this service'
const unexpected = 'unexpected_response'

async function attempt(options: ClientOptions, request: ApiRequest): Promise<Answer | GarmentTaggingError> {
  const { timeoutMs = 30_000, fetch: sendRequest = fetch } = options
  const { signal, body } = request
  const content =
    request.content ?? (body === undefined ? null : { type: 'application/json', body: JSON.stringify(body) })
  const headers: Record<string, string> = credentialHeaders(request.scope, options)
  if (content !== null) headers['Content-Type'] = content.type
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const response = await sendRequest(buildUrl(options.url, request), {
      method: request.method,
      headers,
      // Following a redirect would send the key to another host.
      redirect: 'manual',
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      ...(content === null ? {} : { body: content.body }),
    })
    const text = await response.text()
    return response.ok ? { headers: response.headers, text } : toError(response, text)
  } catch (error) {
    signal?.throwIfAborted()
    if (timeout.aborted)
      return new GarmentTaggingError('timeout', 0, 'Timeout', [`No response within ${timeoutMs / 1000} s.`])
    return new GarmentTaggingError('network', 0, `${options.url} could not be reached`, [findCause(error)], {
      cause: error,
    })
  }
}

function buildUrl(base: string, { path, query = {} }: ApiRequest): string {
  const url = new URL(base.replace(/\/+$/, '') + path)
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) url.searchParams.set(name, String(value))
  }
  return url.href
}

function toError({ status, headers }: Response, text: string): GarmentTaggingError {
  const details = {
    retryAfterMs: parseRetryAfter(headers.get('retry-after'), Date.now()),
    requestId: headers.get('x-request-id'),
  }
  // Browsers report a redirect's status as 0.
  if (status === 0 || (status >= 300 && status < 400)) {
    const target = headers.get('location') ?? 'another address'
    return new GarmentTaggingError(
      'redirect',
      status,
      'Redirect',
      [`The service redirects to ${target}. Use that as url.`],
      details,
    )
  }
  const envelope = parseEnvelope(text)
  if (envelope === null) return new GarmentTaggingError(unexpected, status, `HTTP ${status}`, [notOurs], details)
  const { code = unexpected, message, error } = envelope
  return new GarmentTaggingError(code, status, message, error, details)
}

function parseEnvelope(text: string): Envelope | null {
  try {
    const value = JSON.parse(text) as Envelope | null
    return typeof value?.status === 'boolean' && Array.isArray(value.error) ? value : null
  } catch {
    return null
  }
}

/** Finds the reason of a network error. Node.js puts it into the cause. */
function findCause(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error && error.cause.message !== '' ? error.cause.message : error.message
}
