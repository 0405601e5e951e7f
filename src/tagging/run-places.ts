import type { Clock } from '../time.ts'
import { patienceMs, type Refusal, type StalledHosts } from './stalled-hosts.ts'

/**
 * The places of one invocation's runs. At most four downloads wait for their hosts at a time, since the platform allows
 * six connections that wait, and the database needs some. At most four runs hold a picture that waits for the slot,
 * since they take memory.
 */
export interface RunPlaces {
  /** Waits for a place. If there is none because hosts stall, returns when to run instead. */
  readonly enter: (tenantId: string, onStall?: () => void) => Promise<RunPlace | Refusal>
}

export interface RunPlace {
  /** The picture is here. */
  readonly arrive: () => void
  /** May be called twice. */
  readonly leave: () => void
}

const maxDownloads = 4
const maxArrived = 4

interface Waiter {
  readonly tenantId: string
  readonly onStall: () => void
  readonly resolve: (place: RunPlace | Refusal) => void
}

export function createRunPlaces(stalledHosts: StalledHosts, { now, sleep }: Clock): RunPlaces {
  const waiters = new Set<Waiter>()
  let [downloads, stalled, arrived] = [0, 0, 0]

  function admit(): void {
    for (const waiter of waiters) {
      const refusal = refusalOf(waiter)
      if (refusal === null && (downloads >= maxDownloads || arrived >= maxArrived)) continue
      waiters.delete(waiter)
      waiter.resolve(refusal ?? open(waiter))
    }
  }

  function refusalOf({ tenantId }: Waiter): Refusal | null {
    if (stalled >= maxDownloads) return 'next'
    return stalledHosts.isSuspect(tenantId, now()) ? stalledHosts.refusal(tenantId, now()) : null
  }

  function open({ tenantId, onStall }: Waiter): RunPlace {
    let state: 'downloading' | 'arrived' | 'left' = 'downloading'
    let endStall: (() => void) | undefined
    const begunAt = now()
    downloads++
    const endDownload = () => {
      downloads--
      if (endStall !== undefined) stalled--
      endStall?.()
    }
    const stall = () => {
      stalled++
      endStall = stalledHosts.add(tenantId, begunAt)
      onStall()
    }
    void sleep(patienceMs).then(() => {
      if (state === 'downloading') stalledHosts.suspect(tenantId, now())
    })
    const patience = stalledHosts.patience(tenantId, begunAt)
    if (patience === 0) stall()
    else
      void sleep(patience).then(() => {
        if (state !== 'downloading') return
        stall()
        admit()
      })
    return {
      arrive() {
        if (state !== 'downloading') return
        state = 'arrived'
        stalledHosts.answered(tenantId, now())
        endDownload()
        arrived++
        admit()
      },
      leave() {
        if (state === 'downloading') endDownload()
        else if (state === 'arrived') arrived--
        state = 'left'
        admit()
      },
    }
  }

  return {
    enter: async (tenantId, onStall = () => {}) =>
      await new Promise((resolve) => {
        waiters.add({ tenantId, onStall, resolve })
        admit()
      }),
  }
}
