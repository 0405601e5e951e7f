import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Point } from '../../../src/vision/picture.ts'
import { hipShare } from '../../../src/vision/measure/locate-by-points.ts'
import { cuffCorner } from '../../../src/vision/measure/point-lines.ts'
import { direction, distance } from '../../../src/vision/geometry.ts'
import type { MeasuringLine } from '../../../src/vision/tagging.ts'

type Places = Readonly<Record<string, Point>>

/** A garment whose points of measure were marked by eye, twice. In pixels of the photograph. */
export interface MarkedGarment {
  readonly set: 'home' | 'studio'
  readonly id: string
  readonly type: string
  readonly readings: readonly [Places, Places]
}

interface Reading {
  readonly set: 'home' | 'studio'
  readonly id: string
  readonly type: string
  readonly points: Places
}

/**
 * 60 photographs of the split `senders` and 60 cut-outs of `studio`, each read twice by eye, without seeing what a
 * network says: the first 72 by one reader, the other 48 by two; all crotches by two, on crops of the hips.
 */
export function readPoints(): MarkedGarment[] {
  const [first = [], second = []] = ['first.jsonl', 'second.jsonl'].map((name) =>
    readFileSync(join(import.meta.dirname, name), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Reading),
  )
  return first.flatMap(({ set, id, type, points }) => {
    const again = second.find((other) => other.id === id)
    return again === undefined ? [] : [{ set, id, type, readings: [points, again.points] as const }]
  })
}

/** Which of both, as the garment is seen upright. */
type Side = 'L' | 'R'

/**
 * Lengths between points as they are measured, by the name of the line. Sleeves are marked to the middle of their ends,
 * and measured to the outer corner of the outline beside it. As both sleeves of a garment seldom lie alike, the one on
 * `side` counts, and the mean of both where no side is given.
 */
export function lengthsOf(
  points: Places,
  outline: readonly Point[],
  side: Side | undefined,
): ReadonlyMap<string, number> {
  const between = (from: string, to: string) => distanceOf(points[from], points[to])
  const middle = (name: string) => middleOf(points[`${name}L`], points[`${name}R`])
  const sleeves = (side === undefined ? (['L', 'R'] as const) : [side]).flatMap((own) => {
    const [shoulder, cuff] = [points[`shoulder${own}`], points[`cuff${own}`]]
    if (shoulder === undefined || cuff === undefined) return []
    return [distance(shoulder, cuffCorner(shoulder, cuff, own === 'L' ? -1 : 1, outline, longerSide(outline)) ?? cuff)]
  })
  const lengths = {
    Chest: between('armpitL', 'armpitR'),
    Shoulder: between('shoulderL', 'shoulderR'),
    'Sleeve Length': sleeves.length === 0 ? undefined : sleeves.reduce((sum, length) => sum + length) / sleeves.length,
    Hem: between('hemL', 'hemR'),
    'Body Length': bodyLength(points['neckR'], middle('neck'), middle('hem')),
    Waist: between('waistL', 'waistR'),
    'Front Rise': distanceOf(middle('waist'), points['crotch']),
    Inseam: between('crotch', 'hemLi'),
    Outseam: between('waistR', 'hemRo'),
    'Leg Opening': between('hemRi', 'hemRo'),
    Hip: hipWidth(points, outline),
  }
  return new Map(Object.entries(lengths).flatMap(([name, length]) => (length === undefined ? [] : [[name, length]])))
}

/** The side of the sleeve that is measured: that of the shoulder or armpit to which it is nearest. */
export function sideOfSleeve(lines: readonly MeasuringLine[]): Side | undefined {
  const lineOf = (name: string) => lines.find((line) => line.name === name)
  const [sleeve, across] = [lineOf('Sleeve Length'), lineOf('Shoulder') ?? lineOf('Chest')]
  if (sleeve === undefined || across === undefined) return undefined
  return distance(sleeve.from, across.from) < distance(sleeve.from, across.to) ? 'L' : 'R'
}

function longerSide(outline: readonly Point[]): number {
  const extent = (axis: 0 | 1) => {
    const values = outline.map((point) => point[axis])
    return Math.max(...values) - Math.min(...values)
  }
  return Math.max(extent(0), extent(1))
}

/** From beside the collar to the height of the hem, along the garment. */
function bodyLength(from: Point | undefined, neck: Point | undefined, hem: Point | undefined): number | undefined {
  if (from === undefined || neck === undefined || hem === undefined) return undefined
  const [x, y] = [hem[0] - neck[0], hem[1] - neck[1]]
  return ((hem[0] - from[0]) * x + (hem[1] - from[1]) * y) / Math.hypot(x, y)
}

/** Between the outermost edges of the outline, along the waist; of trousers only. */
function hipWidth({ waistL, waistR, crotch }: Places, outline: readonly Point[]): number | undefined {
  if (waistL === undefined || waistR === undefined || crotch === undefined) return undefined
  const [u, v] = direction(waistL, waistR)
  const [along, across] = [(point: Point) => point[0] * u + point[1] * v, (point: Point) => point[1] * u - point[0] * v]
  const waist = across(waistL)
  const height = waist + (across(crotch) - waist) * hipShare
  const edges = outline.flatMap((from, index) => {
    const to = outline[(index + 1) % outline.length]!
    const share = (height - across(from)) / (across(to) - across(from))
    return share >= 0 && share < 1 ? [along(from) + (along(to) - along(from)) * share] : []
  })
  return edges.length < 2 ? undefined : Math.max(...edges) - Math.min(...edges)
}

function distanceOf(a: Point | undefined, b: Point | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : distance(a, b)
}

function middleOf(a: Point | undefined, b: Point | undefined): Point | undefined {
  return a === undefined || b === undefined ? undefined : [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2]
}
