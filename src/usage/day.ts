/** `2026-11-21`, in UTC: the day that a count belongs to. */
export const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)
