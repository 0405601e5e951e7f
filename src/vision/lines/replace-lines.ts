import type { Point } from '../picture.ts'
import type { MeasuringLine, Tagging } from '../tagging.ts'
import { itemOf } from '../taxonomy/item-types.ts'
import { toCopy } from './to-original.ts'
import { correctedLines, type LinePoints, sourceOfDrawn, type View } from './view.ts'

/** In pixels: the ends of a line that nobody moved lie nearer to its landmarks. */
const atEnd = 3

/** The landmarks at the ends of what is drawn: those of lines that were moved or taken out go with them. */
export function landmarksOf(lines: readonly MeasuringLine[], landmarks: Tagging['landmarks']): Tagging['landmarks'] {
  const ends = lines.flatMap(({ from, to }) => [from, to])
  const isEnd = ([x, y]: Point) => ends.some((end) => Math.hypot(end[0] - x, end[1] - y) < atEnd)
  return Object.fromEntries(Object.entries(landmarks).filter(([, place]) => isEnd(place)))
}

/**
 * The lines of a working copy with those that people have put right, in pixels of the upright original, in place of the
 * predicted ones.
 * @param factor pixels of the original to one of the copy
 */
export function replaceLines(
  { itemType, lines }: Pick<Tagging, 'itemType' | 'lines'>,
  given: Readonly<Record<string, LinePoints | null>>,
  view: View,
  factor: number,
): MeasuringLine[] {
  const corrected = correctedLines(given, itemOf(itemType).measurements, view)
  const added = Object.entries(corrected).flatMap(([name, line]) =>
    line === null ? [] : [{ name, cm: line.cm, ...toCopy(line.points, factor) }],
  )
  return [...lines.filter(({ name }) => !Object.hasOwn(corrected, name)), ...added]
}

/** A tagging as it is drawn: with the lines that people have put right, see `replaceLines`. */
export function toDrawn(
  tagging: Tagging,
  given: Readonly<Record<string, LinePoints | null>>,
  view: View,
  factor: number,
): Tagging {
  const lines = replaceLines(tagging, given, view, factor)
  const isDrawnOnly = tagging.scaleSource === null && lines.length > 0 && view.scale !== undefined
  return {
    ...tagging,
    lines,
    landmarks: landmarksOf(lines, tagging.landmarks),
    scaleSource: isDrawnOnly ? sourceOfDrawn(view.scale) : tagging.scaleSource,
  }
}
