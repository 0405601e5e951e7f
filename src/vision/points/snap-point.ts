import type { Point } from '../picture.ts'
import { distance, unit } from '../shape/find-corners.ts'

/** How far a point moves at most to a corner of the outline, as a share of the garment's longer side. */
const reachShare = 0.015

/** Points that are corners of the outline, and the direction in which they stand out. */
const corners: Readonly<Record<string, Point>> = {
  hemL: [-1, 0.7],
  hemR: [1, 0.7],
  waistL: [-1, -1.2],
  waistR: [1, -1.2],
  hemLo: [-0.9, 1],
  hemLi: [0.9, 1],
  hemRo: [0.9, 1],
  hemRi: [-0.9, 1],
}

/**
 * The corner of the outline that a point stands for. Others stay where they were seen: shoulders, where the outline is
 * blunt, the crotch, whose seam can lie above the gap between the legs, neck points, above which a collar may stand,
 * and armpits, over which a sleeve may lie.
 * @param size the garment's longer side
 */
export function snapPoint(name: string, place: Point, outline: readonly Point[], size: number): Point {
  const direction = corners[name]
  return direction === undefined ? place : nearestCorner(place, outline, size * reachShare, unit(direction))
}

/** What stands out most within reach, less the more the further it is from the point seen. */
function nearestCorner(place: Point, outline: readonly Point[], reach: number, [du, dv]: Point): Point {
  let [corner, highest] = [place, Number.NEGATIVE_INFINITY]
  for (const point of outline) {
    const away = distance(point, place)
    const score = (point[0] - place[0]) * du + (point[1] - place[1]) * dv - away ** 3 / reach ** 2
    if (away <= reach && score > highest) [corner, highest] = [point, score]
  }
  return corner
}
