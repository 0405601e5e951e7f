import type { Point } from '../picture.ts'
import { furthest, middle } from './find-corners.ts'
import type { Layout } from './landmarks.ts'
import { extent, runsAt, type Silhouette } from './silhouette.ts'

/** Points of measure of a skirt. */
export function locateSkirt(silhouette: Silhouette): Layout {
  const { outline, top, height, left, right } = silhouette
  const upper = ([, v]: Point) => v < top + height * 0.2
  const lower = ([, v]: Point) => v > top + height * 0.7
  const waistLeft = furthest(outline, [-0.8, -1], upper) ?? [left, top]
  const waistRight = furthest(outline, [0.8, -1], upper) ?? [right, top]
  const hemLeft = furthest(outline, [-1, 0.9], lower) ?? [left, top + height]
  const hemRight = furthest(outline, [1, 0.9], lower) ?? [right, top + height]
  const centre = middle(waistLeft, waistRight)
  const bottom = furthest(outline, [0, 1], ([u]) => Math.abs(u) < height * 0.05) ?? [0, top + height]
  const hipV = centre[1] + Math.min((waistRight[0] - waistLeft[0]) * 0.54, (bottom[1] - centre[1]) * 0.5)
  const hip = extent(runsAt(silhouette, hipV)) ?? { left, right }
  return {
    landmarks: { 'Left Waist': waistLeft, 'Right Waist': waistRight, 'Left Hem': hemLeft, 'Right Hem': hemRight },
    lines: [
      { name: 'Waist', from: waistLeft, to: waistRight },
      { name: 'Hip', from: [hip.left, hipV], to: [hip.right, hipV] },
      { name: 'Length', from: [0, centre[1]], to: [0, bottom[1]] },
      { name: 'Hem', from: hemLeft, to: hemRight },
    ],
  }
}

/** Width and height of a garment without other points of measure: bags and hats. */
export function locateBox(silhouette: Silhouette): Layout {
  const { top, height, left, right, rows } = silhouette
  const widest = rows.reduce((best, _, row) => (spanOf(rows, row) > spanOf(rows, best) ? row : best), 0)
  const body = extent(rows[widest] ?? []) ?? { left, right }
  const middleV = top + widest
  return {
    landmarks: {},
    lines: [
      { name: 'Width', from: [body.left, middleV], to: [body.right, middleV] },
      { name: 'Height', from: [0, bodyTop(silhouette)], to: [0, top + height] },
    ],
  }
}

/** Length of a shoe: the longer side of the smallest rectangle around its outline, along the rectangle's middle. */
export function locateShoe({ outline }: Silhouette): Layout {
  const boxes = Array.from({ length: 180 }, (_, degrees) => boxAround(outline, (degrees * Math.PI) / 180))
  const areaOf = ({ length, width }: (typeof boxes)[number]) => length * width
  const smallest = boxes
    .filter(({ length, width }) => length >= width)
    .reduce((best, box) => (areaOf(box) < areaOf(best) ? box : best))
  return { landmarks: {}, lines: [{ name: 'Length', from: smallest.from, to: smallest.to }] }
}

/** The rectangle around an outline with its length at an angle to the frame, and the ends of its middle line. */
function boxAround(outline: readonly Point[], radians: number) {
  const [cos, sin] = [Math.cos(radians), Math.sin(radians)]
  const along = outline.map(([u, v]) => u * cos + v * sin)
  const across = outline.map(([u, v]) => v * cos - u * sin)
  const [start, end] = [Math.min(...along), Math.max(...along)]
  const [near, far] = [Math.min(...across), Math.max(...across)]
  const at = (u: number): Point => [u * cos - ((near + far) / 2) * sin, u * sin + ((near + far) / 2) * cos]
  return { length: end - start, width: far - near, from: at(start), to: at(end) }
}

function spanOf(rows: Silhouette['rows'], row: number): number {
  const run = extent(rows[row] ?? [])
  return run === undefined ? 0 : run.right - run.left
}

/** The first row about as wide as the body's middle: handles end there. */
function bodyTop(silhouette: Silhouette): number {
  const { top, height, rows } = silhouette
  const cloth = (row: number) => (rows[row] ?? []).reduce((sum, run) => sum + run.right - run.left, 0)
  const full = cloth(Math.round(height * 0.7))
  for (let row = 0; row < height; row++) if (cloth(row) > full * 0.75) return top + row
  return top
}
