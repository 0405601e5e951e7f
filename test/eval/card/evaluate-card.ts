import type { Card } from '../../../src/vision/card/find-card.ts'
import { invert, project } from '../../../src/vision/card/homography.ts'
import { encodeJpeg } from '../../../src/vision/image/encode-jpeg.ts'
import type { Point } from '../../../src/vision/picture.ts'
import { createRandom } from '../../../training/flat-lay/random.ts'
import { type Answer, askWorker } from '../ask-worker.ts'
import type { Photo } from '../photos/read-photos.ts'
import { startWorker } from '../start-worker.ts'
import { createSources } from './read-cut-outs.ts'
import { renderScene, toScene } from './render-scene.ts'
import { boxCorners, type SampledScene, sampleScene } from './sample-scene.ts'

/** Seeds below were used in development. */
const firstSeed = 500_000

export const floorCmPerPixel = 0.25

export interface CardRow {
  readonly scene: SampledScene
  /** Whether lengths can be measured with the card. */
  readonly isFound: boolean
  /** Sides of the box around the garment, as the card has them: length over true length, less 1. */
  readonly errors: readonly number[]
  /** Each answered line's length, and the true distance of its ends in the plane. */
  readonly lines: readonly { readonly name: string; readonly cm: number; readonly trueCm: number }[]
}

/** What `/card` answers; `scale` is pixels of the original to one of the picture that was looked at. */
interface CardAnswer {
  readonly card?: Card
  readonly scale: number
}

/**
 * Renders scenes of a real garment and the card on a real floor, and tags them in workerd. `undefined` where there are
 * no photographs to render from.
 */
export async function evaluateCard(
  photos: readonly Photo[],
  count: number,
  progress: (done: number) => void = () => undefined,
): Promise<CardRow[] | undefined> {
  const worker = await startWorker('worker.ts')
  try {
    const read = createSources(worker, photos)
    if (read === undefined) return undefined
    const rows: CardRow[] = []
    for (let seed = firstSeed; seed < firstSeed + count; seed++) {
      const { cutOut, floor } = await read(seed)
      const scene = sampleScene(seed, cutOut, { picture: floor, cmPerPixel: floorCmPerPixel })
      const bytes = encodeJpeg(renderScene(scene, createRandom(seed)), scene.quality)
      rows.push(score(scene, await lookForCard(worker, bytes), await askWorker(worker, bytes)))
      progress(rows.length)
    }
    return rows
  } finally {
    await worker.close()
  }
}

/** Asks again if the connection was closed, as happens to one that lay idle while a slow machine rendered. */
async function lookForCard(worker: Awaited<ReturnType<typeof startWorker>>, body: Uint8Array): Promise<CardAnswer> {
  const ask = async () => await worker.fetch('/card', { method: 'POST', body })
  const response = await ask().catch(ask)
  return (await response.json()) as CardAnswer
}

function score(scene: SampledScene, { card, scale }: CardAnswer, answer: Answer | undefined): CardRow {
  const truePlane = invert(scene.toPicture)
  if (card === undefined || card.problem !== undefined || truePlane === undefined)
    return { scene, isFound: false, errors: [], lines: [] }
  const seen = ([x, y]: Point): Point => [(x + 0.5) / scale - 0.5, (y + 0.5) / scale - 0.5]
  const place = ([x, y]: Point) => project(truePlane, [(x + 0.5) * scale - 0.5, (y + 0.5) * scale - 0.5])
  const box = boxCorners(scene.garment.cutOut).map((corner) => toScene(scene.garment, corner))
  const errors = box.map((from, index) => {
    const to = box[(index + 1) % box.length]!
    const measure = (point: Point) => project(card.toPlane, seen(project(scene.toPicture, point)))
    return distance(measure(from), measure(to)) / distance(from, to) - 1
  })
  const lines = (answer?.lines ?? []).map(({ name, from, to, cm }) => ({
    name,
    cm,
    trueCm: distance(place(from), place(to)),
  }))
  return { scene, isFound: true, errors, lines }
}

const distance = (a: Point, b: Point) => Math.hypot(a[0] - b[0], a[1] - b[1])
