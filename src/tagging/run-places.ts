import type { Clock } from '../time.ts'

/**
 * Runs of one invocation that download a picture or hold one. The platform allows six connections that wait, of which
 * the database needs some, and pictures take memory.
 */
const maxRuns = 4

/** Open downloads of one tenant in an isolate, so that its slow hosts leave room for others. */
const maxDownloadsOfTenant = 2

/**
 * After this time, others do not wait for a download any more. Shorter times have garments of slow hosts postponed too
 * often, and longer times let fewer dead hosts fill all places.
 */
const stallMs = 1000

/** Longer than a download may take. The platform may cut off an invocation without running any more of its code. */
const maxDownloadMs = 20_000

const pollMs = 20

interface Download {
  readonly tenantId: string
  readonly startedAt: number
}

/** The open downloads of an isolate. */
export type Downloads = Set<Download>

export const createDownloads = (): Downloads => new Set()

export interface RunPlace {
  /** Waits until the tenant may open another download. Returns false if those that are open have stalled. */
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
  /** Returns a download for each holder, or undefined for one that does not download. */
  readonly findHolders: () => readonly (Download | undefined)[]
  readonly max: number
  readonly take: () => void
}

/** Creates the places of one invocation's runs. */
export function createRunPlaces(downloads: Downloads, { now, sleep }: Clock) {
  const runs = new Set<Run>()
  const hasStalled = (download: Download | undefined) => download !== undefined && download.startedAt <= now() - stallMs

  /**
   * Waits until there are fewer than `max` holders, and takes the place in the same step, so that no other run does.
   * Returns false if all holders have stalled.
   */
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
    /** Waits for a place. Returns null if the runs that hold the places wait for hosts that do not answer. */
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
