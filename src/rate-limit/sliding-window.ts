/** Admits a request unless `limit` were admitted in the last `windowMs`. `admitted` is oldest first, ms since epoch. */
export function admit(admitted: readonly number[], nowMs: number, limit: number, windowMs: number) {
  const live = admitted.filter((at) => at > nowMs - windowMs)
  const oldest = live[0]
  if (oldest !== undefined && live.length >= limit) {
    // A limit that was lowered leaves more than `limit` in the window: wait until enough of them have left it.
    const blocking = live[live.length - limit] ?? oldest
    return { ok: false, admitted: live, retryAfterMs: blocking + windowMs - nowMs } as const
  }
  const resetMs = (oldest ?? nowMs) + windowMs - nowMs
  return { ok: true, admitted: [...live, nowMs], remaining: limit - live.length - 1, resetMs } as const
}
