import type { ServiceFailureCode } from './types.ts'

/** Failures that the client itself finds. */
type ClientFailureCode =
  | 'network'
  | 'timeout'
  | 'configuration'
  | 'redirect'
  | 'unexpected_response'
  | 'webhook_not_genuine'
  | 'webhook_too_large'

export type FailureCode = ServiceFailureCode | ClientFailureCode

interface Details {
  readonly retryAfterMs?: number | null
  readonly requestId?: string | null
  readonly cause?: unknown
}

/** The only error that the client throws, apart from the reason of an aborted signal. */
export class GarmentTaggingError extends Error {
  override readonly name = 'GarmentTaggingError'
  /** Machine-readable failure, from the service or from the client itself. */
  readonly code: FailureCode
  /** The HTTP status, or 0 without a response: after a timeout, or for a webhook that is not genuine. */
  readonly status: number
  /** One sentence for each problem, saying what to fix. */
  readonly messages: readonly string[]
  /** The service's `Retry-After`, or null. */
  readonly retryAfterMs: number | null
  /** Identifies the request in the service's log, or null. */
  readonly requestId: string | null

  constructor(code: FailureCode, status: number, title: string, messages: readonly string[], details: Details = {}) {
    super(messages.length === 0 ? title : `${title}: ${messages.join(' ')}`, { cause: details.cause })
    this.code = code
    this.status = status
    this.messages = messages
    this.retryAfterMs = details.retryAfterMs ?? null
    this.requestId = details.requestId ?? null
  }
}

export const configurationError = (problem: string) =>
  new GarmentTaggingError('configuration', 0, 'Configuration', [problem])

export interface ClientOptions {
  /** The service's address, such as `https://tagging.example.com`. */
  readonly url: string
  /** Needed with `domain` for garment and webhook methods. */
  readonly apiKey?: string | undefined
  readonly domain?: string | undefined
  /** Access token from `signIn`, needed for methods on the account, the tenant and its keys. */
  readonly token?: string | undefined
  /** Needed for the operator's methods. */
  readonly operatorToken?: string | undefined
  /** Maximum number of retries after 429, and of repeatable requests after 503 or no response. Default 5. */
  readonly maxRetries?: number
  /** If the service asks for a longer pause, the request fails instead. Default 90,000. */
  readonly maxRetryWaitMs?: number
  /** Timeout of one request with its response. Default 30,000. */
  readonly timeoutMs?: number
  /** Total time for retries while no response arrives at all. Default 30,000. */
  readonly maxUnansweredMs?: number
  /** Called before the pause of each retry. */
  readonly onRetry?: (error: GarmentTaggingError, waitMs: number) => void
  /** Replaces the global `fetch`, for example by that of a service binding. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
}

export interface CallOptions {
  /** Aborts the call, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

type Scope = 'anyone' | 'merchant' | 'tenant' | 'operator'

export function credentialHeaders(scope: Scope, options: ClientOptions): Record<string, string> {
  const { apiKey, domain, token, operatorToken } = options
  if (scope === 'anyone') return {}
  if (scope === 'tenant') {
    if (apiKey === undefined || domain === undefined) throw configurationError('This method needs apiKey and domain.')
    return { 'API-KEY': apiKey, DOMAIN: domain }
  }
  const bearer = scope === 'merchant' ? token : operatorToken
  if (bearer === undefined)
    throw configurationError(`This method needs ${scope === 'merchant' ? 'token, see signIn' : 'operatorToken'}.`)
  return { Authorization: `Bearer ${bearer}` }
}

export interface ApiRequest extends CallOptions {
  readonly scope: Scope
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly query?: Readonly<Record<string, string | number | null | undefined>>
  readonly body?: unknown
  /** Sent unchanged, instead of `body`. */
  readonly content?: { readonly type: string; readonly body: string | Blob }
  /** True if the request may be sent again after 503 or without a response, when it may have been handled. */
  readonly repeatable?: boolean
}

const example = 'such as https://tagging.example.com'

/** Throws if an option would make every request fail. JavaScript callers may pass any type. */
export function checkOptions({ url, apiKey, domain, token, operatorToken }: ClientOptions): void {
  const problem = urlProblem(url)
  if (problem !== null) throw configurationError(`url ${problem}`)
  for (const [name, value] of Object.entries({ apiKey, domain, token, operatorToken })) {
    // Checks only which characters headers allow. The service checks the key.
    if (value !== undefined && !isSendable(value, name === 'operatorToken'))
      throw configurationError(`${name} must be given as it was shown, without spaces, dots (…) or other characters.`)
  }
}

/** Returns true if a header can carry the value. Operators choose their token, which may contain spaces. */
const isSendable = (value: unknown, mayHaveSpaces: boolean) =>
  typeof value === 'string' && (mayHaveSpaces ? /^[!-~][ -~]*$/ : /^[!-~]+$/).test(value)

function urlProblem(text: unknown): string | null {
  if (typeof text !== 'string' || text === '') return `is missing: give the URL of the service, ${example}.`
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    return `must begin with https:// or http://, ${example}, unlike ${text.slice(0, 100)}.`
  if (url.username !== '' || url.search !== '' || url.hash !== '')
    return `must be a URL without user, query and fragment, ${example}.`
  return null
}
