import type { Clock } from '../time.ts'

/** Maximum number of runs of one invocation that hold a picture. The platform allows six open connections. */
const maxRuns = 4

/** Maximum number of a tenant's open downloads in an isolate, so that slow hosts leave room for other tenants. */
const maxDownloadsOfTenant = 2

/**
 * After this time, other runs stop waiting for a download. Shorter times postpone slow hosts too often. Longer times
 * let fewer dead hosts fill all places.
 */
const stallMs = 1000

/** Longer than any download takes. Entries expire, because a cancelled invocation runs no code. */
const maxDownloadMs = 20_000

const pollMs = 20

interface Download {
  readonly tenantId: string
  readonly startedAt: number
}

export type Downloads = Set<Download>

export const createDownloads = (): Downloads => new Set()

export interface RunPlace {
  /** Waits until the tenant may open another download. Returns false if its open downloads have stalled. */
  readonly startDownload: () => Promise<boolean>
  readonly endDownload: () => void
  /** Waits until the download has stalled or the run has left its place. */
  readonly untilStalled: () => Promise<void>
  readonly leave: () => void
}

interface Run {
  download?: Download | undefined
}

interface Room {
  /** Returns the download of each holder, or undefined for a holder without one. */
  readonly findHolders: () => readonly (Download | undefined)[]
  readonly max: number
  readonly take: () => void
}

export function createRunPlaces(downloads: Downloads, { now, sleep }: Clock) {
  const runs = new Set<Run>()
  const hasStalled = (download: Download | undefined) => download !== undefined && download.startedAt <= now() - stallMs

  /** Waits for fewer than `max` holders, then takes the place. Returns false if all holders have stalled. */
  async function waitForRoom({ findHolders, max, take }: Room): Promise<boolean> {
    for (;;) {
      const holders = findHolders()
      if (holders.length < max) {
        take()
        return true
      }
      if (holders.every(hasStalled)) return false
      await sleep(pollMs)
    }
  }

  function findDownloads(tenantId: string): readonly Download[] {
    for (const download of downloads) if (download.startedAt <= now() - maxDownloadMs) downloads.delete(download)
    return [...downloads].filter((download) => download.tenantId === tenantId)
  }

  return {
    /** Waits for a place. Returns null if all running downloads have stalled. */
    async takePlace(tenantId: string): Promise<RunPlace | null> {
      const run: Run = {}
      const findHolders = () => Array.from(runs, ({ download }) => download)
      if (!(await waitForRoom({ findHolders, max: maxRuns, take: () => runs.add(run) }))) return null
      const endDownload = () => {
        if (run.download !== undefined) downloads.delete(run.download)
        run.download = undefined
      }
      return {
        startDownload: async () =>
          await waitForRoom({
            findHolders: () => findDownloads(tenantId),
            max: maxDownloadsOfTenant,
            take: () => downloads.add((run.download = { tenantId, startedAt: now() })),
          }),
        endDownload,
        async untilStalled() {
          while (runs.has(run) && !hasStalled(run.download)) await sleep(pollMs)
        },
        leave() {
          endDownload()
          runs.delete(run)
        },
      }
    },
  }
}
