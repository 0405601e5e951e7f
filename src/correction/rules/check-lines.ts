import { type LinePoints, lineLength, type View } from '../../vision/lines/view.ts'
import { isPossibleLength, lineNamesOf, maxCm, measurementKey, minCm, notOfType } from './measurement.ts'

type End = readonly [x: number, y: number]

/** By name of measurement, where a line lies in pixels of the upright original; null takes it out. */
export type LinesPatch = Readonly<Record<string, { readonly from: End; readonly to: End } | null>>

export const toPoints = ({ from, to }: NonNullable<LinesPatch[string]>): LinePoints => [
  Math.round(from[0]),
  Math.round(from[1]),
  Math.round(to[0]),
  Math.round(to[1]),
]

/**
 * A sentence for each line that the item type does not have, that lies outside of the picture or that has no length in
 * it.
 * @param measured the keys of measurements that the same patch gives
 */
export function lineProblems(
  view: View | undefined,
  itemType: string,
  patch: LinesPatch,
  measured: readonly string[],
): string[] {
  const names = lineNamesOf(itemType)
  const problemOf = (name: string, line: LinesPatch[string]) => {
    if (!names.includes(name)) return notOfType(names, itemType)
    if (measured.includes(measurementKey(name))) return `must not be given together with its measurement`
    return line === null ? null : placeProblem(view, line)
  }
  return Object.entries(patch).flatMap(([name, line]) => {
    const problem = problemOf(name, line)
    return problem === null ? [] : [`lines.${name}: ${problem}`]
  })
}

function placeProblem(view: View | undefined, line: NonNullable<LinesPatch[string]>): string | null {
  if (view === undefined)
    return 'cannot be placed, because this garment has no stored places; give its length in measurements'
  const { size, scale } = view
  const isOutside = [line.from, line.to].some(
    ([x, y]) => Math.round(x) < 0 || Math.round(y) < 0 || Math.round(x) >= size[0] || Math.round(y) >= size[1],
  )
  if (isOutside) return `must lie within the picture, which is ${size[0]} x ${size[1]} pixels`
  if (scale === undefined)
    return 'has no length, because nothing tells the scale of the picture; give it in measurements'
  const cm = lineLength(scale, toPoints(line))
  return isPossibleLength(cm) ? null : `must be ${minCm} to ${maxCm} cm long`
}
