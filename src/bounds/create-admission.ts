interface AdmissionLimits {
  /** Callers of one key that are under way at a time. */
  readonly maxOfKey: number
  /** Forgets an invocation that was cancelled: the platform runs none of its code any more. */
  readonly expiryMs: number
  /** What a caller gets that finds too many others of its key. */
  readonly busy: () => Error
}

/** Bounds how many callers of a key are under way in this isolate, before they cost anything that is shared. */
export function createAdmission({ maxOfKey, expiryMs, busy }: AdmissionLimits) {
  const underWay = new Map<string, Set<{ readonly until: number }>>()

  return async function admit<T>(key: string, act: () => Promise<T>): Promise<T> {
    const nowMs = Date.now()
    const ofKey = underWay.get(key) ?? new Set()
    for (const each of ofKey) if (each.until <= nowMs) ofKey.delete(each)
    if (ofKey.size >= maxOfKey) throw busy()
    const own = { until: nowMs + expiryMs }
    underWay.set(key, ofKey.add(own))
    try {
      return await act()
    } finally {
      ofKey.delete(own)
      if (ofKey.size === 0) underWay.delete(key)
    }
  }
}
