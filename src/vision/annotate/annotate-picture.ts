import type { Picture, Point } from '../picture.ts'
import { middle } from '../geometry.ts'
import type { MeasuringLine } from '../tagging.ts'
import type { Drawing } from './clean-copy.ts'
import { drawBox, drawLine, drawPolyline, drawText, type Ink, textWidth } from './canvas.ts'

export interface LabelBox {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** Finds a free place for a label: first an anchor on its line, then rings around the first anchor. */
export function placeLabel(
  anchors: readonly [Point, ...Point[]],
  width: number,
  height: number,
  usedBoxes: readonly LabelBox[],
  pictureWidth: number,
  pictureHeight: number,
): LabelBox {
  const fit = ([atX, atY]: Point): LabelBox => ({
    left: Math.max(2, Math.min(pictureWidth - width - 2, atX - width / 2)),
    top: Math.max(2, Math.min(pictureHeight - height - 2, atY - height / 2)),
    width,
    height,
  })
  const free = anchors.map(fit).find((box) => !overlapsAny(box, usedBoxes))
  if (free !== undefined) return free
  const first = fit(anchors[0])
  // Rings start inside the picture, because around a distant anchor all places would be clamped to one point.
  const [centreX, centreY] = [first.left + width / 2, first.top + height / 2]
  for (let ring = 1; ring <= 12; ring++) {
    for (let step = 0; step < 12; step++) {
      const turn = (step / 12) * 2 * Math.PI + Math.PI / 2
      const box = fit([centreX + Math.cos(turn) * ring * width * 0.3, centreY + Math.sin(turn) * ring * height * 0.6])
      if (!overlapsAny(box, usedBoxes)) return box
    }
  }
  return first
}

function overlapsAny(box: LabelBox, usedBoxes: readonly LabelBox[]): boolean {
  return usedBoxes.some(
    (other) =>
      box.left < other.left + other.width + 3 &&
      other.left < box.left + box.width + 3 &&
      box.top < other.top + other.height + 3 &&
      other.top < box.top + box.height + 3,
  )
}

const dark: Ink = [17, 24, 39]
const light: Ink = [255, 255, 255]
const outlineInk: Ink = [255, 64, 129]
const measure: Ink = [0, 212, 255]
const cardInk: Ink = [255, 196, 0]

/** Positions of a label along its line, in order of preference. */
const labelShares = [0.5, 0.35, 0.65, 0.2, 0.8] as const

/** Draws outline, lines and labels over a copy of the picture, with a dark rim around every stroke. */
export function annotatePicture(picture: Picture, drawing: Drawing): Picture {
  const { outlines, holes, lines, card } = drawing
  const canvas = { ...picture, data: picture.data.slice() }
  // Sizes scale with the picture, so that labels stay readable.
  const unit = Math.max(0.55, Math.min(picture.width, picture.height) / 620)
  const borders = [...outlines, ...holes]
    .map((line) => thinOut(line, unit * 3))
    .map((line) => [...line, ...line.slice(0, 1)])
  for (const line of borders) drawPolyline(canvas, line, 4.2 * unit, dark, 0.35)
  for (const line of borders) drawPolyline(canvas, line, 2.2 * unit, outlineInk)
  const page = [...card, ...card.slice(0, 1)]
  drawPolyline(canvas, page, 4.8 * unit, dark, 0.55)
  drawPolyline(canvas, page, 2.6 * unit, cardInk)
  for (const line of lines) drawMeasure(canvas, line, unit)
  const usedBoxes: LabelBox[] = [drawChip(canvas, drawing, unit)]
  for (const line of lines)
    usedBoxes.push(drawLabel(canvas, `${line.name} ${line.cm.toFixed(1)}`, listLabelPlaces(line), unit, usedBoxes))
  const [first, , third] = card
  if (first !== undefined && third !== undefined)
    drawLabel(
      canvas,
      drawing.scaleSource === 'card' ? 'Card' : 'Card, not used',
      [middle(first, third)],
      unit,
      usedBoxes,
    )
  return canvas
}

function drawMeasure(canvas: Picture, { from, to }: MeasuringLine, unit: number) {
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1
  const across: Point = [(-(to[1] - from[1]) / length) * 6 * unit, ((to[0] - from[0]) / length) * 6 * unit]
  const strokes: [Point, Point][] = [
    [from, to],
    ...[from, to].map((end): [Point, Point] => [
      [end[0] - across[0], end[1] - across[1]],
      [end[0] + across[0], end[1] + across[1]],
    ]),
  ]
  for (const [a, b] of strokes) drawLine(canvas, a, b, 4.4 * unit, dark, 0.55)
  for (const [a, b] of strokes) drawLine(canvas, a, b, 2 * unit, measure)
}

export function listLabelPlaces({ from, to }: Pick<MeasuringLine, 'from' | 'to'>): [Point, ...Point[]] {
  const at = (share: number): Point => [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share]
  const [first, ...others] = labelShares
  return [at(first), ...others.map(at)]
}

function drawLabel(
  canvas: Picture,
  text: string,
  anchors: readonly [Point, ...Point[]],
  maxUnit: number,
  usedBoxes: readonly LabelBox[],
): LabelBox {
  const unit = Math.min(maxUnit, (canvas.width - 4) / (textWidth(text, 9) + 10))
  const size = 9 * unit
  const width = textWidth(text, size) + 10 * unit
  const height = size + 10 * unit
  const box = placeLabel(anchors, width, height, usedBoxes, canvas.width, canvas.height)
  drawBox(canvas, box.left, box.top, width, height, 4 * unit, dark, 0.86)
  drawText(canvas, text, [box.left + 5 * unit, box.top + 5 * unit], size, light)
  return box
}

function drawChip(canvas: Picture, { itemType, colour, colourHex }: Drawing, maxUnit: number): LabelBox {
  const text = `${itemType} - ${colour}`
  const unit = Math.min(maxUnit, canvas.width / (textWidth(text, 12) + 56))
  const size = 12 * unit
  const swatch = 16 * unit
  const box = {
    left: 8 * unit,
    top: 8 * unit,
    width: textWidth(text, size) + swatch + 24 * unit,
    height: size + 16 * unit,
  }
  drawBox(canvas, box.left, box.top, box.width, box.height, 6 * unit, dark, 0.9)
  const middleY = box.top + box.height / 2
  drawBox(canvas, box.left + 8 * unit, middleY - swatch / 2, swatch, swatch, 3 * unit, light, 1)
  drawBox(
    canvas,
    box.left + 9 * unit,
    middleY - swatch / 2 + unit,
    swatch - 2 * unit,
    swatch - 2 * unit,
    2.4 * unit,
    parseInk(colourHex),
    1,
  )
  drawText(canvas, text, [box.left + swatch + 16 * unit, middleY - size / 2], size, light)
  return box
}

function parseInk(hex: string): Ink {
  const value = Number.parseInt(hex.slice(1), 16)
  return Number.isNaN(value) ? [128, 128, 128] : [value >> 16, (value >> 8) & 255, value & 255]
}

/** Omits points closer than `gap` pixels: drawing them all is slower and no smoother. */
function thinOut(outline: readonly Point[], gap: number): Point[] {
  const thinned: Point[] = []
  for (const point of outline) {
    const last = thinned.at(-1)
    if (last === undefined || Math.hypot(point[0] - last[0], point[1] - last[1]) >= gap) thinned.push(point)
  }
  return thinned
}
