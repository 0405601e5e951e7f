import type { Sleep } from '../queue/retry-fault.ts'
import type { StalledHosts } from './stalled-hosts.ts'

/**
 * The places of one invocation's runs. At most four downloads wait for their hosts at a time, since the platform allows
 * six connections that wait, and the database needs some. At most four runs hold a picture that waits for the slot,
 * since they take memory.
 */
export interface RunPlaces {
  /** Waits for a place. Null if the run is to be made later, because hosts stall. */
  readonly enter: (tenantId: string, onStall?: () => void) => Promise<RunPlace | null>
}

export interface RunPlace {
  /** The picture is here. */
  readonly arrive: () => void
  /** May be called twice. */
  readonly leave: () => void
}

const maxDownloads = 4
const maxArrived = 4

/** Of one tenant in an isolate. */
const maxStalledOfTenant = 2

/** How long an invocation waits for a host before it continues without that run. */
const patienceMs = 1500

/** Where a host of the tenant stalled lately. */
const shortPatienceMs = 300

interface Waiter {
  readonly tenantId: string
  readonly onStall: () => void
  readonly resolve: (place: RunPlace | null) => void
}

interface Clock {
  readonly now: () => number
  readonly sleep: Sleep
}

export function createRunPlaces(stalledHosts: StalledHosts, { now, sleep }: Clock): RunPlaces {
  const waiters = new Set<Waiter>()
  let [downloads, stalled, arrived] = [0, 0, 0]

  function admit(): void {
    for (const waiter of waiters) {
      const isHeldUp = stalled >= maxDownloads || stalledHosts.count(waiter.tenantId, now()) >= maxStalledOfTenant
      if (!isHeldUp && (downloads >= maxDownloads || arrived >= maxArrived)) continue
      waiters.delete(waiter)
      waiter.resolve(isHeldUp ? null : open(waiter))
    }
  }

  function open({ tenantId, onStall }: Waiter): RunPlace {
    let state: 'downloading' | 'arrived' | 'left' = 'downloading'
    let endStall: (() => void) | undefined
    downloads++
    const endDownload = () => {
      downloads--
      if (endStall !== undefined) stalled--
      endStall?.()
    }
    const isSuspect = stalledHosts.isSuspect(tenantId, now())
    void sleep(isSuspect ? shortPatienceMs : patienceMs).then(() => {
      if (state !== 'downloading') return
      stalled++
      endStall = stalledHosts.add(tenantId, now())
      onStall()
      admit()
    })
    return {
      arrive() {
        if (state !== 'downloading') return
        state = 'arrived'
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
