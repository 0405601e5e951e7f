import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { CLASSES } from '../../src/vision/network/item-type/classes.ts'
import { readFashionMnistTest } from './read-fashion-mnist.ts'
import { scoreAnswers, type Scores } from './score-answers.ts'
import { startWorker } from './start-worker.ts'

const WEIGHTS = join(import.meta.dirname, '../../src/vision/network/item-type/weights.bin')
const PLACES = 784
const BATCH = 100

export interface FashionMnistFigures extends Scores {
  readonly weightsBytes: number
  /** Milliseconds for one picture by the wall clock, request included: the median over batches of 100. */
  readonly networkMs: number
}

/** Classifies the 10,000 test pictures of Fashion-MNIST in workerd. Throws an `Error` where the set is not installed. */
export async function evaluateFashionMnist(): Promise<FashionMnistFigures> {
  const { pixels, labels } = await readFashionMnistTest()
  const { size: weightsBytes } = await stat(WEIGHTS)
  const worker = await startWorker('fashion-mnist/worker.ts')
  try {
    const probabilities = new Float32Array(labels.length * CLASSES.length)
    const batchesMs: number[] = []
    for (let from = 0; from < labels.length; from += BATCH) {
      const body = pixels.slice(from * PLACES, (from + BATCH) * PLACES)
      const began = performance.now()
      const response = await worker.fetch('/', { method: 'POST', body })
      const answers = new Float32Array(await response.arrayBuffer())
      batchesMs.push(performance.now() - began)
      probabilities.set(answers, from * CLASSES.length)
    }
    const networkMs = batchesMs.sort((a, b) => a - b)[batchesMs.length >> 1]! / BATCH
    return { ...scoreAnswers(probabilities, labels), weightsBytes, networkMs }
  } finally {
    await worker.close()
  }
}

/** The figures for reading, with the confusion matrix: a row for each true class, a column for each answer. */
export function describeFashionMnist(figures: FashionMnistFigures): string {
  const percent = (share: number) => `${(share * 100).toFixed(2)} %`
  const cells = (row: readonly (string | number)[]) => row.map((cell) => String(cell).padStart(6)).join('')
  return [
    `top-1 ${percent(figures.top1)}   expected calibration error ${figures.ece.toFixed(4)}`,
    `High: ${percent(figures.highShare)} of the answers, ${percent(figures.highPrecision)} of them right`,
    `weights ${figures.weightsBytes} bytes   network ${figures.networkMs.toFixed(1)} ms a picture`,
    `${'true, answered'.padEnd(14)}${cells(CLASSES.map((name) => name.slice(0, 5)))}`,
    ...figures.confusion.map((row, i) => `${CLASSES[i]!.padEnd(14)}${cells(row)}`),
  ].join('\n')
}
