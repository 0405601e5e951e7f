/**
 * Which tenants wait for image hosts that do not answer, as the runs of one isolate have seen it. Plain state whose
 * entries expire, because an invocation that is cut off runs no more code.
 */
export interface StalledHosts {
  /** Notes a download that waits for its host. Returns what is to be called when it ends. */
  readonly add: (tenantId: string, nowMs: number) => () => void
  /** How many downloads of the tenant wait now. */
  readonly count: (tenantId: string, nowMs: number) => number
  /** Whether a download of the tenant waited lately. */
  readonly isSuspect: (tenantId: string, nowMs: number) => boolean
}

/** Longer than a download may take. */
const maxDownloadMs = 20_000
const suspectMs = 5 * 60_000

export function createStalledHosts(): StalledHosts {
  const stalled = new Set<{ readonly tenantId: string; readonly until: number }>()
  const lastAt = new Map<string, number>()
  return {
    add(tenantId, nowMs) {
      const entry = { tenantId, until: nowMs + maxDownloadMs }
      stalled.add(entry)
      for (const [tenant, at] of lastAt) if (at <= nowMs - suspectMs) lastAt.delete(tenant)
      lastAt.set(tenantId, nowMs)
      return () => void stalled.delete(entry)
    },
    count(tenantId, nowMs) {
      let count = 0
      for (const entry of stalled) {
        if (entry.until <= nowMs) stalled.delete(entry)
        else if (entry.tenantId === tenantId) count++
      }
      return count
    },
    isSuspect: (tenantId, nowMs) => (lastAt.get(tenantId) ?? -Infinity) > nowMs - suspectMs,
  }
}
