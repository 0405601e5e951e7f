import type { Outcome } from './days.ts'

/** Why there is no answer. */
export type FailureKind = Exclude<Outcome, 'answered' | 'skipped'>

export class OpinionTimeoutError extends Error {
  override readonly name = 'OpinionTimeoutError'
}

/** An answer that is not of the documented form. */
export class OpinionFormError extends Error {
  override readonly name = 'OpinionFormError'
}

/** https://developers.cloudflare.com/workers-ai/platform/errors/ */
const kindsByCode: Readonly<Record<string, FailureKind>> = {
  3007: 'timeout',
  3008: 'timeout',
  3036: 'quota',
  3040: 'busy',
  3050: 'busy',
  3023: 'licence',
  3041: 'licence',
  5016: 'licence',
  5018: 'licence',
  5035: 'licence',
  3003: 'bad_request',
  3006: 'bad_request',
  3039: 'bad_request',
  3042: 'bad_request',
  5004: 'bad_request',
  5005: 'bad_request',
  5006: 'bad_request',
  5007: 'bad_request',
  5019: 'bad_request',
}

const kindsByStatus: Readonly<Record<number, FailureKind>> = {
  400: 'bad_request',
  401: 'licence',
  403: 'licence',
  404: 'bad_request',
  405: 'bad_request',
  408: 'timeout',
  413: 'bad_request',
  429: 'busy',
}

/**
 * The kind of an error of the binding. Its message begins with the internal code (`3040: …`); some have `code`,
 * `status` or `httpCode` too.
 */
export function classifyError(error: unknown): FailureKind {
  if (error instanceof OpinionTimeoutError) return 'timeout'
  if (error instanceof OpinionFormError) return 'form'
  if (!(error instanceof Error)) return 'fault'
  if (error.name === 'AbortError' || error.name === 'TimeoutError') return 'timeout'
  const code = 'code' in error ? String(error.code) : ''
  const inMessage = /\b([35]0\d\d)\b/.exec(error.message)?.[1] ?? ''
  const status = 'status' in error ? error.status : 'httpCode' in error ? error.httpCode : undefined
  return kindsByCode[code] ?? kindsByCode[inMessage] ?? kindsByStatus[Number(status)] ?? 'fault'
}
