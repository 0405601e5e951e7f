/** What a receiver must have been sent by the end. */
export interface Expected {
  readonly status: 'delivered' | 'permanently_failed'
  /** Attempts; absent where chance decides how many are needed. */
  readonly attempts?: number
}

export interface ReceiverKind {
  readonly name: string
  /** The behaviour, as `http-host.ts` describes it. */
  readonly query: string
  /** Share of the events, in parts. */
  readonly share: number
  /** Where each attempt runs into the time limit: at most so many events, or a run would have no end. */
  readonly maxEvents?: number
  /** Absent where chance decides. */
  readonly expected?: Expected
}

const allAttempts: Expected = { status: 'permanently_failed', attempts: 9 }
const atOnce: Expected = { status: 'delivered', attempts: 1 }
const slowEnd = { share: 2, maxEvents: 4, expected: allAttempts }

/** One tenant each. */
export const receiverKinds: readonly ReceiverKind[] = [
  { name: 'good-1', query: '', share: 15, expected: atOnce },
  { name: 'good-2', query: 'status=204', share: 15, expected: atOnce },
  { name: 'good-3', query: 'status=202&delay=20', share: 15, expected: atOnce },
  { name: 'slow', query: 'delay=200', share: 6, expected: atOnce },
  { name: 'flaky', query: 'flaky=0.3&status=500', share: 12 },
  { name: 'busy', query: 'flaky=0.5&status=503&retry-after=10', share: 6 },
  { name: 'limiting', query: 'flaky=0.3&status=429&retry-after=5', share: 4 },
  { name: 'endless', query: 'body=endless', share: 3, expected: atOnce },
  { name: 'gzip-bomb', query: 'body=gzip-bomb', share: 3, expected: atOnce },
  { name: 'dead', query: 'status=500', share: 5, expected: allAttempts },
  { name: 'redirecting', query: 'status=302&location=http%3A%2F%2F127.0.0.1%2F', share: 2, expected: allAttempts },
  { name: 'hanging-up', query: 'hang-up', share: 2, expected: allAttempts },
  { name: 'gone', query: 'status=410', share: 3, expected: { status: 'permanently_failed', attempts: 1 } },
  { name: 'silent', query: 'silent', ...slowEnd },
  { name: 'dripping', query: 'body=drip', ...slowEnd },
  { name: 'stalling', query: 'body=stall', ...slowEnd },
]
