/** Platform resources that one garment uses. */
export interface Counts {
  requests: number
  /** Batches delivered to queue consumers. */
  batches: number
  statements: number
  rowsRead: number
  rowsWritten: number
  objectRequests: number
  /** Rows written in Durable Objects. The gate stores its window with each admitted request. */
  objectRows: number
  /** Operations: write, read, delete. */
  queueOperations: number
  r2Writes: number
  r2Reads: number
  /** Bytes of the stored pictures. */
  r2Bytes: number
  /** Processor time of workerd, with the local database, queues and storage. */
  cpuMs: number
  logLines: number
  points: number
}

export const noCounts = (): Counts => ({
  requests: 0,
  batches: 0,
  statements: 0,
  rowsRead: 0,
  rowsWritten: 0,
  objectRequests: 0,
  objectRows: 0,
  queueOperations: 0,
  r2Writes: 0,
  r2Reads: 0,
  r2Bytes: 0,
  cpuMs: 0,
  logLines: 0,
  points: 0,
})

/** Adds `share` times the counts in `more`. */
export function addCounts(counts: Counts, more: Counts, share: number): Counts {
  const sum = { ...counts }
  for (const name of Object.keys(sum) as (keyof Counts)[]) sum[name] += more[name] * share
  return sum
}
