import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Point } from '../../../src/vision/picture.ts'
import { quantile } from '../../support/quantile.ts'
import { askWorker } from '../ask-worker.ts'
import { photoSets } from '../photos/read-photos.ts'
import { startWorker } from '../start-worker.ts'
import { lengthsOf, readPoints, sideOfSleeve } from './read-points.ts'

export interface LineFigures {
  readonly name: string
  /** Garments on which a person sees both ends, and on how many of these the line is given. */
  readonly visible: number
  readonly given: number
  /** Deviation from the mean of both readings, as a ratio to the garment's other lines: median, and above 15 %. */
  readonly median: number
  readonly wrong: number
  /** The same of one reading from the other. */
  readonly readings: number
  /** Deviation of the length itself from the mean of both readings, which are of the same picture: median. */
  readonly length: number
}

type Lengths = ReadonlyMap<string, number>

/** Compares the lines of garments whose points were marked by eye; the taxonomy's own names of lines only. */
export async function evaluatePoints(photos: string): Promise<LineFigures[]> {
  const worker = await startWorker('worker.ts')
  try {
    const ours: { name: string; error: number | undefined; length: number | undefined }[] = []
    const readings: { name: string; error: number }[] = []
    for (const {
      set,
      id,
      readings: [first, second],
    } of readPoints()) {
      const answer = await askWorker(worker, await readFile(join(photos, photoSets[set], 'images', `${id}.jpg`)))
      const outline = answer?.outlines[0]?.map(([x, y]): Point => [x * answer.scale, y * answer.scale])
      const side = sideOfSleeve(answer?.lines ?? [])
      const [one, other] = [lengthsOf(first, outline ?? [], side), lengthsOf(second, outline ?? [], side)]
      const truth = new Map([...one].map(([name, length]) => [name, (length + (other.get(name) ?? length)) / 2]))
      readings.push(...deviations(one, other))
      const given = new Map(
        (answer?.lines ?? []).map(({ name, from, to }) => [name, Math.hypot(from[0] - to[0], from[1] - to[1])]),
      )
      const errors = new Map(deviations(given, truth).map(({ name, error }) => [name, error]))
      for (const [name, length] of truth) {
        const own = given.get(name)
        ours.push({ name, error: errors.get(name), length: own && Math.abs(own / length - 1) })
      }
    }
    return [...new Set(ours.map(({ name }) => name))].map((name) => {
      const own = ours.filter((line) => line.name === name)
      const errors = own.flatMap(({ error }) => (error === undefined ? [] : [error]))
      const lengths = own.flatMap(({ length }) => (length === undefined ? [] : [length]))
      return {
        name,
        visible: own.length,
        given: lengths.length,
        median: quantile(errors, 0.5),
        wrong: errors.filter((error) => error > 0.15).length,
        readings: quantile(
          readings.flatMap((line) => (line.name === name ? [line.error] : [])),
          0.5,
        ),
        length: quantile(lengths, 0.5),
      }
    })
  } finally {
    await worker.close()
  }
}

/** How far the ratio of each length to the other one is from that ratio of the garment's other lines, if it has any. */
function deviations(lengths: Lengths, others: Lengths): { name: string; error: number }[] {
  const ratios = [...lengths].flatMap(([name, length]) => {
    const other = others.get(name)
    return other === undefined ? [] : [{ name, ratio: Math.log(length / other) }]
  })
  if (ratios.length < 2) return []
  return ratios.map(({ name, ratio }) => {
    const rest = ratios.filter((line) => line.name !== name).map((line) => line.ratio)
    return { name, error: Math.abs(Math.expm1(ratio - quantile(rest, 0.5))) }
  })
}
