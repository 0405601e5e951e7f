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
