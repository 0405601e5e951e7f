/**
 * What the service counts in Workers Analytics Engine, where METRICS is bound. docs/operations/runbook.md has the
 * queries. A point has one index, by which the platform samples, and fields without names, so that their order is part
 * of the format.
 */
export interface Metric {
  readonly event: 'request' | 'garment' | 'tagging batch' | 'attempt' | 'sweep'
  /** Outcome, such as `2xx`, `complete`, a failure code, an attempt's error, or the failed parts of a sweep. */
  readonly outcome: string
  readonly tenantId?: string
  /** Number of events that the point stands for. */
  readonly count?: number
  readonly durationMs?: number
  /** Time in the queue, or since the attempt was due. */
  readonly waitedMs?: number | undefined
  /** How long the first statement took. */
  readonly databaseMs?: number
}

/** The platform's limit is 5 kB for all texts of a point. */
const maxOutcome = 200

export type Metrics = Partial<Pick<Env, 'METRICS' | 'VERSION'>>

/** Never throws: a count must not fail what it counts. */
export function writeMetric({ METRICS: dataset, VERSION: version }: Metrics = {}, metric: Metric): void {
  const { event, outcome, tenantId = '', count = 1, durationMs = 0, waitedMs, databaseMs = 0 } = metric
  try {
    dataset?.writeDataPoint({
      indexes: [event],
      blobs: [event, outcome.slice(0, maxOutcome), tenantId, version?.id ?? ''],
      // NaN is refused.
      doubles: [count, durationMs, waitedMs !== undefined && waitedMs > 0 ? waitedMs : 0, databaseMs],
    })
  } catch {
    // The platform allows so many points for each invocation.
  }
}
