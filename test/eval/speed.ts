import { encodeJpeg } from '../../src/vision/image/encode-jpeg.ts'
import { makeFlatLay } from '../../training/flat-lay/make-flat-lay.ts'
import { firstSeed } from './drawings/evaluate-drawings.ts'
import { startWorker } from './start-worker.ts'

const pictureCount = 8
const rounds = 8

/** One search for the card is too short to be timed from outside. */
const searches = 9

export interface SpeedFigures {
  readonly decodeMs: number
  readonly tagMs: number
  /** Looking for the printed card, a part of tagging. */
  readonly cardMs: number
  /** The whole of tagging over decoding alone. */
  readonly tagOverDecode: number
}

/**
 * 1200 x 1600 JPEGs in workerd by the wall clock: decoding alone at full size, and everything from bytes to the
 * annotated JPEG, in turns so that both see the same machine; medians over all rounds but the first.
 */
export async function evaluateSpeed(): Promise<SpeedFigures> {
  const pictures = Array.from({ length: pictureCount }, (_, index) =>
    encodeJpeg(makeFlatLay(firstSeed + 50_000 + index, { width: 1200, height: 1600 }).picture, 90),
  )
  const worker = await startWorker('worker.ts')
  try {
    const paths = { once: '/card', often: `/card?times=${searches}`, decode: '/decode', tag: '/tag' }
    const times: Record<string, number[]> = Object.fromEntries(Object.values(paths).map((path) => [path, []]))
    for (let round = 0; round < rounds; round++) {
      for (const bytes of pictures) {
        for (const path of Object.values(paths)) {
          const began = performance.now()
          const response = await worker.fetch(path, { method: 'POST', body: bytes })
          await response.arrayBuffer()
          if (round > 0) times[path]!.push(performance.now() - began)
        }
      }
    }
    const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1]!
    const medianOf = (path: string) => median(times[path]!)
    const [decodeMs, tagMs] = [medianOf(paths.decode), medianOf(paths.tag)]
    const cardMs = (medianOf(paths.often) - medianOf(paths.once)) / (searches - 1)
    return { decodeMs, tagMs, cardMs, tagOverDecode: tagMs / decodeMs }
  } finally {
    await worker.close()
  }
}
