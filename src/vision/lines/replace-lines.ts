import type { MeasuringLine, Tagging } from '../tagging.ts'
import { itemOf } from '../taxonomy/item-types.ts'
import { toCopy } from './to-original.ts'
import { type LinePoints, lineLength, type View } from './view.ts'

/**
 * The lines of a working copy with those that people have put right, in pixels of the upright original, in place of the
 * predicted ones. Those of other item types, and those that nothing gives a length, are left out.
 * @param factor pixels of the original to one of the copy
 */
export function replaceLines(
  { itemType, lines }: Pick<Tagging, 'itemType' | 'lines'>,
  given: Readonly<Record<string, LinePoints | null>>,
  { scale }: View,
  factor: number,
): MeasuringLine[] {
  const { measurements } = itemOf(itemType)
  const added = Object.entries(given).flatMap(([name, points]) => {
    const cm = points === null || scale === undefined ? Number.NaN : lineLength(scale, points)
    return points !== null && cm > 0 && measurements.includes(name) ? [{ name, cm, ...toCopy(points, factor) }] : []
  })
  return [...lines.filter(({ name }) => !Object.hasOwn(given, name)), ...added]
}
