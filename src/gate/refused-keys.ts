/** A refusal is remembered for this long, and only the newest: it saves calls, and is right without them. */
const refusedMs = 60_000
const maxRefusals = 1000

/** Of this isolate, by domain and key hash. A key that is created later is a random one, never among these. */
const refusedUntil = new Map<string, number>()

const nameOf = (domain: string, keyHash: string) => `${domain} ${keyHash}`

export const isRefused = (domain: string, keyHash: string, nowMs: number): boolean =>
  (refusedUntil.get(nameOf(domain, keyHash)) ?? 0) > nowMs

export function rememberRefusal(domain: string, keyHash: string, nowMs: number): void {
  const name = nameOf(domain, keyHash)
  refusedUntil.delete(name)
  refusedUntil.set(name, nowMs + refusedMs)
  if (refusedUntil.size <= maxRefusals) return
  for (const oldest of refusedUntil.keys()) {
    refusedUntil.delete(oldest)
    return
  }
}
