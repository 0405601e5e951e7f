import type { Mask, Picture, Point } from '../picture.ts'
import { centreOf } from '../geometry.ts'

/** Margin around the covered page, relative to its size. */
const margin = 0.04

/** Width in pixels of the border whose colours cover the page. */
const frame = 3

interface Span {
  readonly start: number
  readonly end: number
}

/**
 * Covers a page with the colours of its border, so that it is no garment. Also returns a mask of the covered pixels.
 */
export function coverCard(picture: Picture, corners: readonly Point[]): { picture: Picture; covered: Mask } {
  const { width, height } = picture
  const page = enlarge(corners)
  const rows = spansOf(page, height, width)
  const columns = spansOf(
    page.map(([x, y]) => [y, x]),
    width,
    height,
  )
  const data = picture.data.slice()
  const covered = new Uint8Array(width * height)
  const rowEnds = rows.map((span, y) => (span === undefined ? [] : endsOf(picture, span, (x) => y * width + x, width)))
  const columnEnds = columns.map((span, x) =>
    span === undefined ? [] : endsOf(picture, span, (y) => y * width + x, height),
  )
  rows.forEach((span, y) => {
    if (span === undefined) return
    for (let x = span.start; x < span.end; x++) {
      covered[y * width + x] = 1
      const ends = [
        ...rowEnds[y]!.map((end) => ({ ...end, from: x })),
        ...columnEnds[x]!.map((end) => ({ ...end, from: y })),
      ]
      paint(data, (y * width + x) * 4, ends)
    }
  })
  return { picture: { width, height, data }, covered: { width, height, data: covered } }
}

interface End {
  readonly place: number
  readonly colour: readonly [number, number, number]
}

function endsOf(picture: Picture, { start, end }: Span, at: (place: number) => number, length: number): End[] {
  return [start - frame, end].flatMap((first) => {
    const places = Array.from({ length: frame }, (_, step) => first + step).filter(
      (place) => place >= 0 && place < length,
    )
    if (places.length === 0) return []
    const mean = (channel: number) =>
      places.reduce((sum, place) => sum + picture.data[at(place) * 4 + channel]!, 0) / places.length
    return [{ place: first + 1, colour: [mean(0), mean(1), mean(2)] as const }]
  })
}

function paint(data: Uint8ClampedArray, at: number, ends: readonly (End & { from: number })[]): void {
  let weights = 0
  const sum = [0, 0, 0]
  for (const { place, from, colour } of ends) {
    const weight = 1 / Math.max(1, Math.abs(place - from))
    weights += weight
    for (let channel = 0; channel < 3; channel++) sum[channel]! += colour[channel]! * weight
  }
  if (weights > 0) for (let channel = 0; channel < 3; channel++) data[at + channel] = sum[channel]! / weights
}

function enlarge(corners: readonly Point[]): Point[] {
  const [x, y] = centreOf(corners)
  return corners.map((corner) => [x + (corner[0] - x) * (1 + margin), y + (corner[1] - y) * (1 + margin)])
}

function spansOf(polygon: readonly Point[], lines: number, length: number): (Span | undefined)[] {
  return Array.from({ length: lines }, (_, line) => {
    const crossings = polygon.flatMap(([x, y], index) => {
      const [nextX, nextY] = polygon[(index + 1) % polygon.length]!
      const isCrossed = y <= line !== nextY <= line
      return isCrossed ? [x + ((line - y) / (nextY - y)) * (nextX - x)] : []
    })
    if (crossings.length < 2) return undefined
    const start = Math.max(0, Math.floor(Math.min(...crossings)))
    const end = Math.min(length, Math.ceil(Math.max(...crossings)) + 1)
    return end > start ? { start, end } : undefined
  })
}
