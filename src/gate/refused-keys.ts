import { minuteMs } from '../time.ts'

/** How long a refusal is remembered, and how many. This only saves calls; the gate decides. */
const refusedMs = minuteMs
const maxRefusals = 1000

/** In this isolate, by domain and key hash. A new key is random, so it cannot have been refused before. */
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
