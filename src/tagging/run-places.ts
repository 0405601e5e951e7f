import { type Clock, minuteMs } from '../time.ts'

/**
 * When the run is to be made instead. `next`: by the next invocation. `soon`: its message comes again. `sweep`: its
 * message ends here, and the sweep enqueues the garment again.
 */
export type Refusal = 'next' | 'soon' | 'sweep'

/** How long a download may take before its host counts as one that does not answer. */
const patienceMs = 1500

/** For a tenant without a recent picture, while a download of another tenant waits. */
const shortPatienceMs = 300

/** The delay of a message that comes again soon. */
export const soonSeconds = 2

/** Longer than a download may take. */
const maxDownloadMs = 20_000

/** How long the behaviour of a tenant's hosts is remembered. */
const memoryMs = 5 * minuteMs

/** For one tenant in the background. The second one only while less than half of all places are taken. */
const maxOfTenant = 2

/** For all tenants in the background. Each takes little memory until its picture arrives, which takes a reserve. */
const maxInBackground = 64

interface Download {
  readonly tenantId: string
  readonly begunAt: number
}

export type StalledHosts = ReturnType<typeof createStalledHosts>

/**
 * Which tenants wait for image hosts that do not answer, as observed by the runs of one isolate. Plain state whose
 * entries expire, because an invocation that is cut off runs no more code.
 */
export function createStalledHosts() {
  const background = new Set<Download>()
  const answeredAt = new Map<string, number>()
  const stalledAt = new Map<string, number>()
  const soonUntil = new Map<string, number>()

  function forget(times: Map<string, number>, before: number): void {
    for (const [tenant, at] of times) if (at <= before) times.delete(tenant)
  }

  function note(times: Map<string, number>, tenantId: string, nowMs: number): void {
    forget(times, nowMs - memoryMs)
    times.set(tenantId, nowMs)
  }

  const isNoted = (times: ReadonlyMap<string, number>, tenantId: string, nowMs: number) =>
    (times.get(tenantId) ?? -Infinity) > nowMs - memoryMs

  /** Whether a download of the tenant was kept waiting lately. */
  const isSuspect = (tenantId: string, nowMs: number) => isNoted(stalledAt, tenantId, nowMs)

  /** How many downloads of the tenant are in the background now, of those that have begun by then. */
  function count(tenantId: string, nowMs: number, begunBy = nowMs): number {
    let ofTenant = 0
    for (const entry of background) {
      if (entry.begunAt <= nowMs - maxDownloadMs) background.delete(entry)
      else if (entry.tenantId === tenantId && entry.begunAt <= begunBy) ofTenant++
    }
    return ofTenant
  }

  return {
    /** Records that a picture of the tenant has arrived. */
    answered: (tenantId: string, nowMs: number) => note(answeredAt, tenantId, nowMs),
    /** Records that a host keeps a download of the tenant waiting. From then on the tenant is a suspect. */
    suspect: (tenantId: string, nowMs: number) => note(stalledAt, tenantId, nowMs),
    isSuspect,
    /** How long an invocation waits for a download of the tenant before the download continues in the background. */
    patience(tenantId: string, nowMs: number): number {
      if (isSuspect(tenantId, nowMs)) return 0
      if (isNoted(answeredAt, tenantId, nowMs)) return patienceMs
      const isStalled = ({ begunAt }: Download) => begunAt > nowMs - maxDownloadMs && begunAt <= nowMs - patienceMs
      return [...background].some(isStalled) ? shortPatienceMs : patienceMs
    },
    /** Records a download that continues in the background. Returns a function to call when it ends. */
    add(tenantId: string, begunAt: number) {
      const entry = { tenantId, begunAt }
      background.add(entry)
      return () => void background.delete(entry)
    },
    count,
    /** Null if a suspect may begin another one; otherwise when it is to be tried again. */
    refusal(tenantId: string, nowMs: number): Refusal | null {
      const ofTenant = count(tenantId, nowMs)
      const isFull = background.size >= maxInBackground
      const max = background.size < maxInBackground / 2 ? maxOfTenant : 1
      if (!isFull && ofTenant < max) return null
      const isHopeless = isFull || count(tenantId, nowMs, nowMs - patienceMs) >= max
      if (!isHopeless) return 'soon'
      // One of its messages is enough to find the next place. More would fill the queue, and each sweep adds to them.
      forget(soonUntil, nowMs)
      if (soonUntil.has(tenantId)) return 'sweep'
      soonUntil.set(tenantId, nowMs + soonSeconds * 1000)
      return 'soon'
    },
  }
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

export type RunPlaces = ReturnType<typeof createRunPlaces>

/**
 * The places of one invocation's runs. At most four downloads wait for their hosts at a time, since the platform allows
 * six connections that wait, and the database needs some. At most four runs hold a picture that waits for the slot,
 * since they take memory.
 */
export function createRunPlaces(stalledHosts: StalledHosts, { now, sleep }: Clock) {
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
    /** Waits for a place. If there is none because hosts stall, returns when to run instead. */
    enter: async (tenantId: string, onStall = () => {}) =>
      await new Promise<RunPlace | Refusal>((resolve) => {
        waiters.add({ tenantId, onStall, resolve })
        admit()
      }),
  }
}
