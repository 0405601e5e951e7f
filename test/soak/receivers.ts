/** The expected outcome of every event of a receiver. */
export interface Expected {
  readonly status: 'delivered' | 'permanently_failed'
  /** The expected number of attempts; absent where it is random. */
  readonly attempts?: number
}

export interface ReceiverKind {
  readonly name: string
  /** The behaviour; see `http-host.ts`. */
  readonly query: string
  /** Absent where it is random. */
  readonly expected?: Expected
}

export interface TenantKind extends ReceiverKind {
  /** Relative share of the events. */
  readonly share: number
  /** Limits the events of receivers whose attempts take seconds. */
  readonly maxEvents?: number
  /** The receivers after the first, which is the kind itself. */
  readonly others?: readonly ReceiverKind[]
}

const allAttempts: Expected = { status: 'permanently_failed', attempts: 9 }
const firstAttempt: Expected = { status: 'delivered', attempts: 1 }

/** One tenant is created for each. */
export const tenantKinds: readonly TenantKind[] = [
  { name: 'good-1', query: '', share: 15, expected: firstAttempt },
  { name: 'good-2', query: 'status=204', share: 15, expected: firstAttempt },
  { name: 'good-3', query: 'status=202&delay=20', share: 15, expected: firstAttempt },
  { name: 'slow', query: 'delay=200', share: 6, expected: firstAttempt },
  { name: 'flaky', query: 'flaky=0.3&status=500', share: 12 },
  { name: 'busy', query: 'flaky=0.5&status=503&retry-after=10', share: 6 },
  { name: 'limiting', query: 'flaky=0.3&status=429&retry-after=5', share: 4 },
  { name: 'endless', query: 'body=endless', share: 3, expected: firstAttempt },
  { name: 'gzip-bomb', query: 'body=gzip-bomb', share: 3, expected: firstAttempt },
  { name: 'dead', query: 'status=500', share: 5, expected: allAttempts },
  { name: 'redirecting', query: 'status=302&location=http%3A%2F%2F127.0.0.1%2F', share: 2, expected: allAttempts },
  { name: 'hanging-up', query: 'hang-up', share: 2, expected: allAttempts },
  {
    name: 'three-dead',
    query: 'status=500',
    share: 6,
    expected: allAttempts,
    others: [
      { name: 'three-slow', query: 'delay=500', expected: firstAttempt },
      { name: 'three-good', query: '', expected: firstAttempt },
    ],
  },
  { name: 'gone', query: 'status=410', share: 3, expected: { status: 'permanently_failed', attempts: 1 } },
  { name: 'silent', query: 'silent', share: 2, maxEvents: 4, expected: allAttempts },
  { name: 'dripping', query: 'body=drip', share: 2, maxEvents: 4, expected: firstAttempt },
  { name: 'stalling', query: 'body=stall', share: 2, maxEvents: 4, expected: firstAttempt },
]
