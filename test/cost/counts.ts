/** What one garment uses of the platform. */
export interface Counts {
  requests: number
  /** Batches that the consumers of queues were called with. */
  batches: number
  statements: number
  rowsRead: number
  rowsWritten: number
  objectRequests: number
  /** Rows of Durable Objects: the gate stores its window with each request that it admits. */
  objectRows: number
  /** Written, read and deleted. */
  queueOperations: number
  r2Writes: number
  r2Reads: number
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
  logLines: 0,
  points: 0,
})

/** What something uses that goes with `share` of something else. */
export function addCounts(counts: Counts, more: Counts, share: number): Counts {
  const sum = { ...counts }
  for (const name of Object.keys(sum) as (keyof Counts)[]) sum[name] += more[name] * share
  return sum
}
