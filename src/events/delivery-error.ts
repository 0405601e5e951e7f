import { sentenceOf, storeText } from '../platform/db/stored-text.ts'
import { describeTargetProblem, type TargetProblem } from '../platform/outbound/target.ts'

interface StatusLine {
  readonly status: number
  readonly phrase: string
}

const statusLine = ({ status, phrase }: StatusLine) => (phrase === '' ? `HTTP ${status}` : `HTTP ${status}: ${phrase}`)

/** Why an attempt failed or a delivery ended, as an English sentence for each code. */
const sentences = {
  not_called: ({ problem }: { readonly problem: TargetProblem }) => `Not called: url ${describeTargetProblem(problem)}`,
  timeout: ({ seconds }: { readonly seconds: number }) => `Timeout after ${seconds} s`,
  http_status: statusLine,
  redirect: (line: StatusLine) => `${statusLine(line)} (redirects are not followed)`,
  host_not_found: () => 'Host not found',
  connection_failed: () => 'Connection failed',
  tls_handshake_failed: () => 'TLS handshake failed',
  switched_off: () => 'The webhook was switched off',
  not_asked: () => 'The endpoint does not receive this event',
  endpoint_deleted: () => 'The endpoint was deleted',
  always_failing: ({ since }: { readonly since: string }) =>
    `Switched off by the service: every delivery since ${since} has failed`,
  garment_deleted: () => 'The garment was deleted',
  gave_up: () => 'The service failed repeatedly while making this attempt; redeliver it',
}

/** Returns the stored form of an error: JSON with its code and parameters. */
export const storeDeliveryError = <Code extends keyof typeof sentences>(
  code: Code,
  ...params: Parameters<(typeof sentences)[Code]>
) => storeText(code, ...params)

export const switchedOff = storeDeliveryError('switched_off')

export const endpointDeleted = storeDeliveryError('endpoint_deleted')

export const deliveryError = (stored: string | null) => (stored === null ? '' : sentenceOf(stored, sentences))
