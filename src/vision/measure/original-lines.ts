import { enlargePoint, shrinkPoint } from '../image/shrink.ts'
import type { Point } from '../picture.ts'
import type { Drawing } from '../annotate/clean-copy.ts'
import type { MeasuringLine } from '../tagging.ts'
import { correctedLines, type LinePoints, measuredLength, sourceOfDrawn, type View, type ViewScale } from '../view.ts'
import { itemOf } from '../taxonomy/item-types.ts'

/** Significant digits of stored scales. Across 8,000 pixels, the last one changes a length by less than 0.001 cm. */
const digits = 6

/** Converts a copy's lines to the stored view. `factor` is pixels of the original per pixel of the copy. */
export function toView(
  { lines, scale }: { readonly lines: readonly MeasuringLine[]; readonly scale: ViewScale | undefined },
  size: View['size'],
  factor: number,
): View {
  return {
    size,
    ...(scale === undefined ? {} : { scale: scaleOfOriginal(scale, factor) }),
    lines: Object.fromEntries(
      lines.map(({ name, from, to }) => [
        name,
        [...toOriginal(from, size, factor), ...toOriginal(to, size, factor)] as const,
      ]),
    ),
  }
}

/** Returns the lengths of lines in whole pixels of the original, so that pictures and fields never differ. */
export function measureInView({ lines }: { readonly lines: readonly MeasuringLine[] }, view: View) {
  const measured = lines.map((line) => {
    const points = view.lines[line.name]
    return { ...line, cm: (points && measuredLength(view, points)) ?? line.cm }
  })
  return { lines: measured, measurements: Object.fromEntries(measured.map(({ name, cm }) => [`${name} (cm)`, cm])) }
}

export function toCopy([fromX, fromY, toX, toY]: LinePoints, factor: number): { from: Point; to: Point } {
  return { from: shrinkPoint([fromX, fromY], factor), to: shrinkPoint([toX, toY], factor) }
}

function toOriginal(point: Point, [width, height]: View['size'], factor: number): [number, number] {
  const [x, y] = enlargePoint(point, factor)
  const clamp = (value: number, edge: number) => Math.min(edge - 1, Math.max(0, Math.round(value)))
  return [clamp(x, width), clamp(y, height)]
}

function scaleOfOriginal(scale: ViewScale, factor: number): ViewScale {
  const rounded = (value: number) => Number(value.toPrecision(digits))
  if (typeof scale === 'number') return rounded(scale / factor)
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = scale
  const offset = (factor - 1) / 2
  const moved = (p: number, q: number, r: number) => [p / factor, q / factor, r - ((p + q) * offset) / factor]
  const [last = 1] = moved(g, h, 1).slice(2)
  return [...moved(a, b, c), ...moved(d, e, f), ...moved(g, h, 1).slice(0, 2)].map((value) => rounded(value / last))
}

/** Replaces predicted lines by people's lines, in pixels of the upright original. */
export function redrawLines(
  drawing: Drawing,
  moved: Readonly<Record<string, LinePoints | null>>,
  view: Pick<View, 'scale'>,
): Drawing {
  const { itemType, scale, scaleSource } = drawing
  const corrected = correctedLines(moved, itemOf(itemType).measurements, view)
  const added = Object.entries(corrected).flatMap(([name, line]) =>
    line === null ? [] : [{ name, cm: line.cm, ...toCopy(line.points, scale) }],
  )
  const lines = [...drawing.lines.filter(({ name }) => !Object.hasOwn(corrected, name)), ...added]
  const isDrawnOnly = scaleSource === null && lines.length > 0 && view.scale !== undefined
  return { ...drawing, lines, scaleSource: isDrawnOnly ? sourceOfDrawn(view.scale) : scaleSource }
}
