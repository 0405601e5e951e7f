import type { Clock } from '../../time.ts'

export const isolateLimits = {
  /**
   * All pictures in memory, before they are decoded. An isolate has 128 MiB. Decoding one picture takes up to 80 MiB of
   * them, in which its own bytes are counted.
   */
  maxBytes: 48 * 1024 * 1024,
  /** Longer than any run takes until its picture is tagged. */
  maxRunMs: 40_000,
  /** Longer than tagging any picture takes. */
  maxSlotMs: 5000,
  /** A run that stopped polling no longer waits. */
  askingMs: 200,
}

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
 * What the runs of one isolate share, and those who draw pictures in it: its memory and its turn to decode. Plain state
 * that each run asks for again on a timer of its own. There is no promise that one invocation resolves for another, and
 * every entry expires, because an invocation that the platform cuts off runs no more code, not even `finally`.
 */
export function createIsolateBudget(limits: typeof isolateLimits) {
  const entries = new Set<Entry>()
  /** By tenant, when one of its runs last had the slot. */
  const lastSlots = new Map<string, number>()
  const lastSlotOf = ({ tenantId }: Entry) => lastSlots.get(tenantId) ?? 0

  function bytesOfOthers(entry: Entry): number {
    let others = 0
    for (const other of entries) if (other !== entry) others += other.bytes
    return others
  }

  function runOf(entry: Entry) {
    return {
      /** Takes memory for bytes that have arrived; false if there is no room for them. */
      reserve(bytes: number): boolean {
        const others = bytesOfOthers(entry)
        // A picture that is alone always has room, so that none is refused for ever.
        if (others > 0 && others + entry.bytes + bytes > limits.maxBytes) return false
        entry.bytes += bytes
        return true
      },
      /**
       * Takes the decoding slot, in which one picture at a time is decoded. False while another run has it, or while
       * one waits whose tenant had it longer ago.
       */
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
      /** Releases everything. May be called twice. */
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

/** That of this isolate. */
export const budget = createIsolateBudget(isolateLimits)

const maxSlotWaitMs = 10_000

const slotPollMs = 10

/** False if the decoding slot was not free within the time that a run waits for it. */
export async function waitForSlot(run: Run, { now, sleep }: Clock): Promise<boolean> {
  const deadline = now() + maxSlotWaitMs
  while (!run.takeSlot(now())) {
    if (now() >= deadline) return false
    await sleep(slotPollMs)
  }
  return true
}
