import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Point } from '../../../src/vision/picture.ts'

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

/** Garments of the splits `senders` and `studio`, each read twice by eye before any network had learned points. */
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

/**
 * Lengths between points, by the name of the line. A sleeve is given for both sides in the mean, and the body's length
 * along the garment: from the middle of the neck points to the middle of the hem.
 */
export function lengthsOf(points: Places): ReadonlyMap<string, number> {
  const between = (from: string, to: string) => distanceOf(points[from], points[to])
  const middle = (name: string) => middleOf(points[`${name}L`], points[`${name}R`])
  const sleeves = [between('shoulderL', 'cuffL'), between('shoulderR', 'cuffR')].filter(
    (length) => length !== undefined,
  )
  const lengths = {
    Chest: between('armpitL', 'armpitR'),
    Shoulder: between('shoulderL', 'shoulderR'),
    'Sleeve Length': sleeves.length === 0 ? undefined : sleeves.reduce((sum, length) => sum + length) / sleeves.length,
    Hem: between('hemL', 'hemR'),
    'Body Length': distanceOf(middle('neck'), middle('hem')),
    Waist: between('waistL', 'waistR'),
    'Front Rise': distanceOf(middle('waist'), points['crotch']),
    Inseam: between('crotch', 'hemLi'),
    Outseam: between('waistR', 'hemRo'),
    'Leg Opening': between('hemRi', 'hemRo'),
  }
  return new Map(Object.entries(lengths).flatMap(([name, length]) => (length === undefined ? [] : [[name, length]])))
}

function distanceOf(a: Point | undefined, b: Point | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : Math.hypot(a[0] - b[0], a[1] - b[1])
}

function middleOf(a: Point | undefined, b: Point | undefined): Point | undefined {
  return a === undefined || b === undefined ? undefined : [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2]
}
