import { minuteMs } from '../time.ts'

/** How long it is remembered that a key is unknown, and how many refusals. This only saves calls; the gate decides. */
const unknownMs = minuteMs
const maxRefusals = 1000

type Refusal =
  | { readonly outcome: 'unauthorized'; readonly until: number }
  | { readonly outcome: 'limited'; readonly until: number; readonly limit: number }

/** In this isolate, by domain and key hash, so that another key of the domain learns nothing of it. */
const refusals = new Map<string, Refusal>()

const nameOf = (domain: string, keyHash: string) => `${domain} ${keyHash}`

export function findRefusal(domain: string, keyHash: string, nowMs: number): Refusal | undefined {
  const refusal = refusals.get(nameOf(domain, keyHash))
  return refusal !== undefined && refusal.until > nowMs ? refusal : undefined
}

/** A new key is random, so it cannot have been refused before. */
export const rememberUnknown = (domain: string, keyHash: string, nowMs: number): void =>
  remember(nameOf(domain, keyHash), { outcome: 'unauthorized', until: nowMs + unknownMs })

/** Until the time that the client was told to wait for. */
export const rememberLimited = (domain: string, keyHash: string, until: number, limit: number): void =>
  remember(nameOf(domain, keyHash), { outcome: 'limited', until, limit })

function remember(name: string, refusal: Refusal): void {
  refusals.delete(name)
  refusals.set(name, refusal)
  if (refusals.size <= maxRefusals) return
  for (const oldest of refusals.keys()) {
    refusals.delete(oldest)
    return
  }
}
