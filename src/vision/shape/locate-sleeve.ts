import type { Point } from '../picture.ts'
import { type BodySide, isOnBody } from './find-body-side.ts'
import { direction, distance, furthest, middle, unit } from './find-corners.ts'
import type { Silhouette } from './silhouette.ts'

/** The two corners of a cuff. */
export interface SleeveEnd {
  readonly outer: Point
  readonly inner: Point
}

/** In halves of the body: a cuff lies further out beside the body; a nearer point is the corner of a flared hem. */
const beside = 0.1

/** Finds the cuff along the sleeve's direction, which itself follows from the cuff: a few rounds converge. */
export function locateSleeve(
  silhouette: Silhouette,
  side: 1 | -1,
  shoulder: Point,
  armpit: Point,
  body: BodySide,
): SleeveEnd | undefined {
  const beyond = ([u, v]: Point) =>
    u * side > Math.abs(armpit[0]) * 0.98 &&
    v > shoulder[1] &&
    (v <= armpit[1] || !isOnBody(silhouette, body, [u, v], beside))
  const points = silhouette.outline.filter(beyond)
  const root = middle(shoulder, armpit)
  let along: Point = unit([side * 0.7, 0.7])
  let ends: SleeveEnd | undefined
  for (let round = 0; round < 4; round++) {
    const up: Point = [along[1] * side, -along[0] * side]
    const outer = furthest(points, [along[0] + up[0] * 0.55, along[1] + up[1] * 0.55])
    const inner = furthest(points, [along[0] - up[0] * 0.55, along[1] - up[1] * 0.55])
    if (outer === undefined || inner === undefined) return ends
    ends = { outer, inner }
    const end = middle(outer, inner)
    along = direction(root, end)
  }
  return ends !== undefined && distance(shoulder, ends.outer) > 2 ? ends : undefined
}
