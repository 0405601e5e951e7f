import { encodeJpeg } from '../../../src/vision/image/encode-jpeg.ts'
import type { Point } from '../../../src/vision/picture.ts'
import { traceOutlines } from '../../../src/vision/segment/trace-outline.ts'
import { createRandom } from '../../../training/flat-lay/random.ts'
import { type Answer, askWorker } from '../ask-worker.ts'
import type { Photo } from '../photos/read-photos.ts'
import { lengthsOf, readPoints, sideOfSleeve } from '../points/read-points.ts'
import { startWorker } from '../start-worker.ts'
import { floorCmPerPixel } from './evaluate-card.ts'
import { createSources } from './read-cut-outs.ts'
import { type CutOut, renderScene } from './render-scene.ts'
import { sampleScene } from './sample-scene.ts'

/** Seeds of other scenes are below and above. */
const firstSeed = 700_000

export interface EndRow {
  readonly name: string
  /** Answered less true length; undefined where the line is not given. */
  readonly error: number | undefined
  /** How far both readings by eye are from each other. */
  readonly readings: number
}

type Places = Readonly<Record<string, Point>>

/**
 * Renders each cut-out whose points of measure were marked by eye beside the card, `rounds` times, and compares the
 * answered centimetres with the distances between the marks: outline, points and card together. `undefined` where there
 * are no photographs to render from.
 */
export async function evaluateEnds(photos: readonly Photo[], rounds: number): Promise<EndRow[] | undefined> {
  const worker = await startWorker('worker.ts')
  try {
    const sources = createSources(worker, photos)
    if (sources === undefined) return undefined
    const rows: EndRow[] = []
    let seed = firstSeed
    for (const { set, id, readings } of readPoints()) {
      const photo = photos.find((other) => other.split === 'studio' && other.id === id)
      if (set !== 'studio' || photo === undefined) continue
      for (let round = 0; round < rounds; round++, seed++) {
        const { cutOut, floor } = await sources(seed, photo)
        const scene = sampleScene(seed, cutOut, { picture: floor, cmPerPixel: floorCmPerPixel })
        const answer = await askWorker(worker, encodeJpeg(renderScene(scene, createRandom(seed)), scene.quality))
        rows.push(...compare(readings, cutOut, answer))
      }
    }
    return rows
  } finally {
    await worker.close()
  }
}

function compare(
  readings: readonly [Places, Places],
  { picture, mask, cmPerPixel }: CutOut,
  answer: Answer | undefined,
): EndRow[] {
  const coverage = mask.map((value) => value * 255)
  const [outline = []] = traceOutlines(coverage, picture.width, picture.height)
  const side = sideOfSleeve(answer?.lines ?? [])
  const [one, other] = [lengthsOf(readings[0], outline, side), lengthsOf(readings[1], outline, side)]
  return [...one].flatMap(([name, first]) => {
    const second = other.get(name)
    if (second === undefined) return []
    const trueCm = ((first + second) / 2) * cmPerPixel
    const cm = answer?.measurements[`${name} (cm)`]
    return [
      { name, error: cm === undefined ? undefined : cm - trueCm, readings: Math.abs(first - second) * cmPerPixel },
    ]
  })
}
