import type { Picture, Point } from '../../vision/picture.ts'
import { detectorStep, detectText } from '../network/detect-text.ts'
import { lineHeight, recogniseLine } from '../network/recognise-line.ts'
import type { TextNetworks } from '../network/load-text-networks.ts'
import { type Character, decodeLine } from './decode-line.ts'
import { findPieces, type TextBox, toBox } from './find-pieces.ts'
import { fitStrip, rowAt, type Strip, toColumns } from './fit-strip.ts'
import { type Frame, sampleColumns, sampleFrame, toPicture } from './sample-frame.ts'

export interface Alphabet {
  readonly characters: readonly string[]
  readonly rejects: number
}

export interface TextLine {
  readonly characters: readonly Character[]
  /** Top left, top right, bottom right and bottom left as one reads, in pixels of the picture. */
  readonly corners: readonly Point[]
  readonly height: number
  /** Lines side by side have the same row. */
  readonly row: number
}

/** At first the whole picture is searched at a size that shows where text is, and in which direction it runs. */
const coarseEdge = 736

/** Then the part with text, turned upright, at a size at which lines have about this height. */
const wantedHeight = 24
const finePixels = 560_000
const maxEnlargement = 2

/** Lines that are read, and the sum of their widths at the recogniser's height, which bounds the time. */
const maxLines = 60
const maxWidthSum = 24_000

const minLineWidth = 32
const maxLineWidth = 1600

/** Lines that are read both ways round to find which way is up, and their width. */
const directionLines = 5
const maxDirectionWidth = 500

/** Reads the text of a label in any direction. Yields the multiplications done, in millions. */
export function* readLines(
  networks: TextNetworks,
  alphabet: Alphabet,
  picture: Picture,
): Generator<number, TextLine[]> {
  const whole = wholeArea(picture)
  const boxes = (yield* detectIn(networks, picture, whole)).map(toBox)
  if (boxes.length === 0) return []
  const area = findArea(boxes.map((box) => inPicture(whole.frame, box)))
  const strips = (yield* detectIn(networks, picture, area)).map(fitStrip).filter((strip) => strip !== undefined)
  const read = (strip: Strip, isTurned: boolean) => readStrip(networks, alphabet, picture, area.frame, strip, isTurned)
  const isTurned = yield* isUpsideDown(strips, read)
  const lines: TextLine[] = []
  let widths = 0
  for (const { strip, row } of inReadingOrder(strips, isTurned)) {
    widths += widthOf(strip)
    if (lines.length === maxLines || widths > maxWidthSum) break
    lines.push({ ...read(strip, isTurned), row })
    yield widthOf(strip) * workPerColumn
  }
  return lines
}

interface Area {
  readonly frame: Frame
  readonly width: number
  readonly height: number
}

const toStep = (size: number) => Math.max(detectorStep, Math.round(size / detectorStep) * detectorStep)

function wholeArea({ width, height }: Picture): Area {
  const scale = Math.min(maxEnlargement, coarseEdge / Math.max(width, height))
  const [columns, rows] = [toStep(width * scale), toStep(height * scale)]
  return {
    frame: { origin: [0, 0], right: [width / columns, 0], down: [0, height / rows] },
    width: columns,
    height: rows,
  }
}

function* detectIn(networks: TextNetworks, picture: Picture, { frame, width, height }: Area) {
  return findPieces(yield* detectText(networks, sampleFrame(picture, frame, width, height)), width, height)
}

/** A box of a frame in pixels of the picture. Frames may stretch, but only by a rounded size. */
function inPicture(frame: Frame, box: TextBox): TextBox {
  const [x, y] = box.along
  const along: Point = [x * frame.right[0] + y * frame.down[0], x * frame.right[1] + y * frame.down[1]]
  const scale = Math.hypot(...along)
  return {
    centre: toPicture(frame, box.centre),
    along: [along[0] / scale, along[1] / scale],
    length: box.length * scale,
    thickness: box.thickness * scale,
  }
}

/** A piece of text so many times as long as high tells its direction. */
const minElongation = 1.8

/** Angle of most of the text, modulo half a turn. */
function findAngle(boxes: readonly TextBox[]): number {
  const directions = boxes
    .filter(({ length, thickness }) => length > minElongation * thickness)
    .map(({ along, length }) => ({ angle: Math.atan2(along[1], along[0]), weight: length }))
  let best = { weight: 0, angle: 0 }
  for (let candidate = 0; candidate < 36; candidate++) {
    const centre = (candidate * Math.PI) / 36
    let [weight, offset] = [0, 0]
    for (const each of directions) {
      const away = wrap(each.angle - centre, Math.PI)
      if (Math.abs(away) > Math.PI / 18) continue
      weight += each.weight
      offset += away * each.weight
    }
    if (weight > best.weight) best = { weight, angle: centre + offset / weight }
  }
  return wrap(best.angle, Math.PI)
}

/** The angle plus or minus whole periods, from minus half of one to half of one. */
const wrap = (angle: number, period: number) => angle - Math.round(angle / period) * period

/** The upright rectangle around all text, in the text's direction and at the size for the second search. */
function findArea(boxes: readonly TextBox[]): Area {
  const angle = findAngle(boxes)
  const [u, v]: [Point, Point] = [
    [Math.cos(angle), Math.sin(angle)],
    [-Math.sin(angle), Math.cos(angle)],
  ]
  const bounds = { left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity }
  for (const { centre, along, length, thickness } of boxes) {
    const [x, y] = [dot(centre, u), dot(centre, v)]
    const [cos, sin] = [Math.abs(dot(along, u)), Math.abs(dot(along, v))]
    const [halfWidth, halfHeight] = [(length * cos + thickness * sin) / 2, (length * sin + thickness * cos) / 2]
    bounds.left = Math.min(bounds.left, x - halfWidth)
    bounds.right = Math.max(bounds.right, x + halfWidth)
    bounds.top = Math.min(bounds.top, y - halfHeight)
    bounds.bottom = Math.max(bounds.bottom, y + halfHeight)
  }
  const heights = boxes.map(({ thickness }) => thickness).sort((a, b) => a - b)
  const lower = heights[Math.floor(heights.length / 3)]!
  const margin = 2 * lower
  const [width, height] = [bounds.right - bounds.left + 2 * margin, bounds.bottom - bounds.top + 2 * margin]
  const scale = Math.min(wantedHeight / lower, maxEnlargement, Math.sqrt(finePixels / (width * height)))
  const [columns, rows] = [toStep(width * scale), toStep(height * scale)]
  const [left, top] = [bounds.left - margin, bounds.top - margin]
  const frame: Frame = {
    origin: [left * u[0] + top * v[0], left * u[1] + top * v[1]],
    right: [(u[0] * width) / columns, (u[1] * width) / columns],
    down: [(v[0] * height) / rows, (v[1] * height) / rows],
  }
  return { frame, width: columns, height: rows }
}

const dot = (a: Point, b: Point) => a[0] * b[0] + a[1] * b[1]

/** Millions of multiplications for a column of the recogniser's picture. */
export const workPerColumn = 0.65

function widthOf({ left, right, height }: Strip): number {
  const width = Math.round((lineHeight * (right - left)) / height / 8) * 8
  return Math.min(maxLineWidth, Math.max(minLineWidth, width))
}

function readStrip(
  networks: TextNetworks,
  { characters, rejects }: Alphabet,
  picture: Picture,
  frame: Frame,
  strip: Strip,
  isTurned: boolean,
): Omit<TextLine, 'row'> {
  const columns = toColumns(strip, frame, widthOf(strip), lineHeight, isTurned)
  const logits = recogniseLine(networks, sampleColumns(picture, columns, lineHeight))
  const [first, last] = [columns[0]!, columns.at(-1)!]
  const below = ({ origin, down }: Omit<Frame, 'right'>): Point => [
    origin[0] + down[0] * lineHeight,
    origin[1] + down[1] * lineHeight,
  ]
  return {
    characters: decodeLine(logits, characters, rejects),
    corners: [first.origin, last.origin, below(last), below(first)],
    height: lineHeight * Math.hypot(...first.down),
  }
}

/** Whether text is read with more confidence the other way round. */
function* isUpsideDown(
  strips: readonly Strip[],
  read: (strip: Strip, isTurned: boolean) => Omit<TextLine, 'row'>,
): Generator<number, boolean> {
  const longest = strips
    .filter((strip) => widthOf(strip) <= maxDirectionWidth)
    .sort((a, b) => widthOf(b) - widthOf(a))
    .slice(0, directionLines)
  let balance = 0
  for (const strip of longest) {
    for (const isTurned of [false, true]) {
      const trust = read(strip, isTurned).characters.reduce(
        (sum, { probability, isForeign }) => sum + (isForeign ? 0 : probability - 0.6),
        0,
      )
      balance += isTurned ? trust : -trust
      yield widthOf(strip) * workPerColumn
    }
  }
  return balance > 0
}

/** Sorts strips in reading order. Strips side by side get the same row. */
function inReadingOrder(strips: readonly Strip[], isTurned: boolean): { strip: Strip; row: number }[] {
  const sign = isTurned ? -1 : 1
  const sorted = strips.toSorted((a, b) => sign * (rowAt(a, a.middle) - rowAt(b, b.middle)))
  const rows: Strip[][] = []
  for (const strip of sorted) {
    const last = rows.at(-1)
    const isBeside = last?.some(
      (other) =>
        Math.abs(rowAt(strip, strip.middle) - rowAt(other, strip.middle)) < Math.min(strip.height, other.height) / 2,
    )
    if (isBeside === true) last!.push(strip)
    else rows.push([strip])
  }
  return rows.flatMap((row, index) =>
    row.toSorted((a, b) => sign * (a.middle - b.middle)).map((strip) => ({ strip, row: index })),
  )
}
