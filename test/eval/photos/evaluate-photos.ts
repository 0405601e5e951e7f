import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Answer, askWorker } from '../ask-worker.ts'
import { overlap } from '../overlap.ts'
import { type Networks, startWorker } from '../start-worker.ts'
import { maxMaskUnsure } from './mappings.ts'
import { readMask } from './read-mask.ts'
import type { Photo } from './read-photos.ts'

export interface Row {
  readonly photo: Photo
  readonly answer: Answer | undefined
  /** Intersection over union with a sure mask of a photograph shown flat; absent for all others. */
  readonly iou?: number
}

/** Tags photographs in workerd, through the whole pipeline. */
export async function evaluatePhotos(
  photos: readonly Photo[],
  networks: Networks,
  progress: (done: number) => void = () => undefined,
): Promise<Row[]> {
  const worker = await startWorker('worker.ts', { networks })
  try {
    const rows: Row[] = []
    for (const photo of photos) {
      const answer = await askWorker(worker, await readFile(join(photo.folder, 'images', `${photo.id}.jpg`)))
      const isMeasured = photo.shown === 'Flat' && photo.maskUnsure <= maxMaskUnsure
      rows.push({ photo, answer, ...(isMeasured ? { iou: await overlapOf(photo, answer) } : {}) })
      progress(rows.length)
    }
    return rows
  } finally {
    await worker.close()
  }
}

async function overlapOf({ folder, id }: Photo, answer: Answer | undefined): Promise<number> {
  if (answer === undefined) return 0
  const { width, height, data } = readMask(await readFile(join(folder, 'masks', `${id}.png`)))
  return overlap(answer.outlines, answer.holes, answer.scale, data, width, height)
}
