import type { Client } from '../create-client.ts'
import { GarmentTaggingError } from '../error.ts'
import { sleep } from '../sleep.ts'
import type { ExportedGarment, Garment } from '../types.ts'
import { pollDelayMs } from '../wait.ts'
import type { Progress } from './progress.ts'
import type { UploadRow } from './read-uploads.ts'

export interface Rejected {
  readonly line: number
  readonly reason: string
}

/** Uploads one garment after another. Those that the service refuses are returned; any other failure is thrown. */
export async function uploadAll(
  client: Client,
  rows: readonly UploadRow[],
  progress: Progress,
  signal: AbortSignal,
): Promise<{ accepted: string[]; rejected: Rejected[] }> {
  const accepted: string[] = []
  const rejected: Rejected[] = []
  for (const { line, upload } of rows) {
    try {
      await client.upload(upload, { signal })
      accepted.push(upload.uuid)
    } catch (error) {
      if (!(error instanceof GarmentTaggingError) || (error.status !== 400 && error.status !== 409)) throw error
      rejected.push({ line, reason: `${upload.uuid} was refused. ${error.message}` })
    }
    progress.update(accepted.length + rejected.length, rejected.length > 0 ? `${rejected.length} refused` : '')
  }
  return { accepted, rejected }
}

/**
 * Waits until all these garments have ended, by pages of the export rather than by one query each. Those that were
 * uploaded before `since` are not in it and are queried.
 */
export async function waitForAll(
  client: Client,
  uuids: readonly string[],
  since: Date,
  progress: Progress,
  signal: AbortSignal,
): Promise<Garment[]> {
  const ended = new Map<string, Garment>()
  const waiting = new Set(uuids)
  const keepEnded = (garment: Garment) => {
    if (garment.status !== 'complete' && garment.status !== 'failed') return
    ended.set(garment.uuid, garment)
    waiting.delete(garment.uuid)
  }
  let from = since.toISOString()
  for (let polls = 0; waiting.size > 0; polls++) {
    await sleep(pollDelayMs(polls), signal)
    const found = new Set<string>()
    let firstWaiting: string | undefined
    for await (const exported of client.exportGarments({ from }, { signal })) {
      if (!waiting.has(exported.uuid)) continue
      found.add(exported.uuid)
      keepEnded(toGarment(exported))
      if (waiting.has(exported.uuid)) firstWaiting ??= exported.uploaded_at
    }
    from = firstWaiting ?? from
    progress.update(ended.size)
    for (const uuid of [...waiting].filter((each) => !found.has(each))) {
      keepEnded(await client.query(uuid, { signal }))
      progress.update(ended.size)
    }
  }
  return uuids.flatMap((uuid) => ended.get(uuid) ?? [])
}

/** The fields that a query returns. */
function toGarment(exported: ExportedGarment): Garment {
  const { image_url: _url, attribute: _attribute, uploaded_at: _uploaded, ended_at: _ended, ...rest } = exported
  const { machine: _machine, ...garment } = rest
  return garment
}
