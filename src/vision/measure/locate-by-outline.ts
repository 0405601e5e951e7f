import type { Point } from '../picture.ts'
import { extent, type FrameLine, type Silhouette } from './silhouette.ts'
import type { Build } from '../taxonomy/item.ts'

function locateBox(silhouette: Silhouette): FrameLine[] {
  const { top, height, left, right, rows } = silhouette
  const widest = rows.reduce((best, _, row) => (spanOf(rows, row) > spanOf(rows, best) ? row : best), 0)
  const body = extent(rows[widest] ?? []) ?? { left, right }
  const middleV = top + widest
  return [
    { name: 'Width', from: [body.left, middleV], to: [body.right, middleV] },
    { name: 'Height', from: [0, bodyTop(silhouette)], to: [0, top + height] },
  ]
}

function locateShoe({ outline }: Silhouette): FrameLine[] {
  const boxes = Array.from({ length: 180 }, (_, degrees) => boxAround(outline, (degrees * Math.PI) / 180))
  const areaOf = ({ length, width }: (typeof boxes)[number]) => length * width
  const smallest = boxes
    .filter(({ length, width }) => length >= width)
    .reduce((best, box) => (areaOf(box) < areaOf(best) ? box : best))
  return [{ name: 'Length', from: smallest.from, to: smallest.to }]
}

/** Returns the box around an outline at an angle, with the ends of its centre line. */
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

function bodyTop(silhouette: Silhouette): number {
  const { top, height, rows } = silhouette
  const cloth = (row: number) => (rows[row] ?? []).reduce((sum, run) => sum + run.right - run.left, 0)
  const full = cloth(Math.round(height * 0.7))
  for (let row = 0; row < height; row++) if (cloth(row) > full * 0.75) return top + row
  return top
}

export function locateByOutline(build: Build, silhouette: Silhouette): FrameLine[] {
  if (build === 'bag' || build === 'hat') return locateBox(silhouette)
  return build === 'shoe' ? locateShoe(silhouette) : []
}
