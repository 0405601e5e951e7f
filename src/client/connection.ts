import type { ServiceFailureCode } from './types.ts'

/** Found by the client itself. */
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

/** The one error that the client throws, except for the reason of an aborted signal. */
export class GarmentTaggingError extends Error {
  override readonly name = 'GarmentTaggingError'
  /** The failure for programs: of the service, or of the client itself. */
  readonly code: FailureCode
  /** The HTTP status; 0 if there is none: no response, a timeout, or a webhook that is not genuine. */
  readonly status: number
  /** What to fix, one sentence for each problem. */
  readonly messages: readonly string[]
  /** How long the service asked to wait, or null. */
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

/** For what the caller forgot or mistyped. */
export const configurationError = (problem: string) =>
  new GarmentTaggingError('configuration', 0, 'Configuration', [problem])

export interface ClientOptions {
  /** The service's address, such as `https://tagging.example.com`. */
  readonly url: string
  /** For the methods on garments and webhooks, together with `domain`. */
  readonly apiKey?: string | undefined
  readonly domain?: string | undefined
  /** The access token of `signIn`, for the methods on the account, the tenant and its keys. */
  readonly token?: string | undefined
  /** For the operator's methods. */
  readonly operatorToken?: string | undefined
  /** How often a request is repeated that got 429, or got 503 or no response and may be repeated. 5 by default. */
  readonly maxRetries?: number
  /** A response that asks for a longer pause is not waited for. 90,000 by default. */
  readonly maxRetryWaitMs?: number
  /** For one request and its response. 30,000 by default. */
  readonly timeoutMs?: number
  /** A request without any response is not repeated for longer than this. 30,000 by default. */
  readonly maxUnansweredMs?: number
  /** Called before the wait for a repetition. */
  readonly onRetry?: (error: GarmentTaggingError, waitMs: number) => void
  /** Another `fetch`, such as that of a service binding. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
}

export interface CallOptions {
  /** Ends the call, with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

type Scope = 'anyone' | 'merchant' | 'tenant' | 'operator'

/** The headers that authorize a request. Throws if what it needs was not given. */
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
  /** Sent as JSON. */
  readonly body?: unknown
  /** Sent as it is, in place of `body`. */
  readonly content?: { readonly type: string; readonly body: string | Blob }
  /** Whether to send it again after 503 or without a response, when it may have been handled. */
  readonly repeatable?: boolean
}

const example = 'such as https://tagging.example.com'

/** Throws for options with which every request would fail; in JavaScript they can be of any type. */
export function checkOptions({ url, apiKey, domain, token, operatorToken }: ClientOptions): void {
  const problem = urlProblem(url)
  if (problem !== null) throw configurationError(`url ${problem}`)
  for (const [name, value] of Object.entries({ apiKey, domain, token, operatorToken })) {
    // A header takes nothing else. Whether the key exists is for the service to say.
    if (value !== undefined && !isSendable(value, name === 'operatorToken'))
      throw configurationError(`${name} must be given as it was shown, without spaces, dots (…) or other signs.`)
  }
}

/** The operator's token is chosen by the operator, who may have chosen words. */
const isSendable = (value: unknown, mayHaveSpaces: boolean) =>
  typeof value === 'string' && (mayHaveSpaces ? /^[!-~][ -~]*$/ : /^[!-~]+$/).test(value)

function urlProblem(text: unknown): string | null {
  if (typeof text !== 'string' || text === '') return `is missing: give the address of the service, ${example}.`
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    return `must begin with https:// or http://, ${example}, unlike ${text.slice(0, 100)}.`
  if (url.username !== '' || url.search !== '' || url.hash !== '')
    return `must be an address without user, query and fragment, ${example}.`
  return null
}
