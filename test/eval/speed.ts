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
  /** Cutting the garment out with 2,000 pixels, from the uploaded file, over the whole of tagging. */
  readonly cutoutOverTag: number
}

/** A cut-out of these has the most pixels that one can have. */
const large = { width: 1500, height: 2000 }

/**
 * JPEGs of 1200 x 1600 pixels, and larger ones for the cut-out, in workerd by the wall clock: decoding alone at full
 * size, and everything from bytes to the copy that is kept, in turns so that both see the same machine; medians over
 * all rounds but the first.
 */
export async function evaluateSpeed(): Promise<SpeedFigures> {
  const worker = await startWorker('worker.ts')
  const measure = async <P extends string>(size: { width: number; height: number }, paths: readonly P[]) => {
    const pictures = Array.from({ length: pictureCount }, (_, index) =>
      encodeJpeg(makeFlatLay(firstSeed + 50_000 + index, size).picture, 90),
    )
    const times = paths.map((path) => ({ path, ms: [] as number[] }))
    for (let round = 0; round < rounds; round++) {
      for (const bytes of pictures) {
        for (const { path, ms } of times) {
          const began = performance.now()
          const response = await worker.fetch(path, { method: 'POST', body: bytes })
          await response.arrayBuffer()
          if (round > 0) ms.push(performance.now() - began)
        }
      }
    }
    const medians = times.map(({ path, ms }) => [path, ms.sort((a, b) => a - b)[ms.length >> 1]!])
    return Object.fromEntries(medians) as Record<P, number>
  }
  try {
    const often = `/card?times=${searches}` as const
    const ms = await measure({ width: 1200, height: 1600 }, ['/card', often, '/decode', '/tag'])
    const largeMs = await measure(large, ['/tag', '/cutout'])
    return {
      decodeMs: ms['/decode'],
      tagMs: ms['/tag'],
      cardMs: (ms[often] - ms['/card']) / (searches - 1),
      tagOverDecode: ms['/tag'] / ms['/decode'],
      cutoutOverTag: largeMs['/cutout'] / largeMs['/tag'] - 1,
    }
  } finally {
    await worker.close()
  }
}
