import type { Clock } from '../../time.ts'

export const isolateLimits = {
  /** For all encoded pictures. An isolate has 128 MiB, and decoding one picture takes up to 80 MiB. */
  maxBytes: 48 * 1024 * 1024,
  /** Longer than any run takes. */
  maxRunMs: 40_000,
  /** Longer than tagging any picture takes. */
  maxSlotMs: 5000,
  /** A run that has not polled for this long no longer waits. */
  askingMs: 200,
}

const maxSlotWaitMs = 10_000
const slotPollMs = 10

interface Entry {
  readonly tenantId: string
  readonly expiresAt: number
  bytes: number
  askedAt: number
  slotUntil: number
}

export type IsolateBudget = ReturnType<typeof createIsolateBudget>
export type Run = ReturnType<IsolateBudget['enter']>

/**
 * Shares the memory and the decoding slot of an isolate between its runs. Runs poll and entries expire, because a
 * cancelled invocation runs no more code, not even `finally`.
 */
export function createIsolateBudget(limits: typeof isolateLimits) {
  const entries = new Set<Entry>()
  /** Maps tenants to the time when one of their runs last had the slot. */
  const lastSlots = new Map<string, number>()
  const lastSlotOf = ({ tenantId }: Entry) => lastSlots.get(tenantId) ?? 0

  function bytesOfOthers(entry: Entry): number {
    let others = 0
    for (const other of entries) if (other !== entry) others += other.bytes
    return others
  }

  function runOf(entry: Entry) {
    return {
      /** Reserves memory. Returns false if there is no room. */
      reserve(bytes: number): boolean {
        const others = bytesOfOthers(entry)
        // A single picture always has room, so that no picture is refused forever.
        if (others > 0 && others + entry.bytes + bytes > limits.maxBytes) return false
        entry.bytes += bytes
        return true
      },
      /** Takes the decoding slot. Returns false while another run has it, or a tenant waits that had it longer ago. */
      takeSlot(nowMs: number): boolean {
        entry.askedAt = nowMs
        for (const other of entries) {
          const isFirst = other.askedAt > nowMs - limits.askingMs && lastSlotOf(other) < lastSlotOf(entry)
          if (other !== entry && (other.slotUntil > nowMs || isFirst)) return false
        }
        entry.askedAt = -Infinity
        entry.slotUntil = nowMs + limits.maxSlotMs
        for (const [tenant, at] of lastSlots) if (at <= nowMs - limits.maxRunMs) lastSlots.delete(tenant)
        lastSlots.set(entry.tenantId, nowMs)
        return true
      },
      /** Waits for the decoding slot, at most 10 s. Returns whether it was taken. */
      async waitForSlot({ now, sleep }: Clock): Promise<boolean> {
        const deadline = now() + maxSlotWaitMs
        while (!this.takeSlot(now())) {
          if (now() >= deadline) return false
          await sleep(slotPollMs)
        }
        return true
      },
      /** Releases the run's memory and slot. Safe to call twice. */
      leave: () => void entries.delete(entry),
    }
  }

  return {
    enter(tenantId: string, nowMs: number) {
      for (const entry of entries) if (entry.expiresAt <= nowMs) entries.delete(entry)
      const entry: Entry = { tenantId, expiresAt: nowMs + limits.maxRunMs, bytes: 0, askedAt: -Infinity, slotUntil: 0 }
      entries.add(entry)
      return runOf(entry)
    },
  }
}

export const budget = createIsolateBudget(isolateLimits)
