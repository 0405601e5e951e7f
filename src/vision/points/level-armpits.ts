import type { Point } from '../picture.ts'
import { direction, distance, middle, unit } from '../shape/find-corners.ts'
import { type At, type FramePoint, maybeSeen } from './frame-point.ts'

/**
 * Of a chest's length: one end lies so much lower than the other at most. On garments marked by eye it is less in nine
 * of ten, and where it was more, the surer end was at the right height.
 */
const maxDrop = 0.2

/** From here on one of the armpits was not found at all. */
const lostDrop = 0.5

/** Both armpits at the same height along the body: the less reliable one is moved to that of the other. */
export function levelArmpits(at: At): readonly FramePoint[] {
  const [left, right] = [at('armpitL'), at('armpitR')]
  const [across, down] = directionAcross(at)
  const [u, v] = [right.place[0] - left.place[0], right.place[1] - left.place[1]]
  const drop = v * across - u * down
  const share = Math.abs(drop) / Math.max(1, distance(left.place, right.place))
  if (share <= maxDrop) return [left, right]
  const [moved, kept, move] = left.reliability < right.reliability ? [left, right, drop] : [right, left, -drop]
  const place = [moved.place[0] - down * move, moved.place[1] + across * move] as const
  return [kept, { ...moved, place, reliability: share > lostDrop ? 0 : moved.reliability }]
}

/** From left to right: the mean of hem, shoulders and what is square to the body's own line, where they are seen. */
function directionAcross(at: At): Point {
  const [neck, hem] = [pairOf(at, 'neck'), pairOf(at, 'hem')]
  const directions = [hem, pairOf(at, 'shoulder')].flatMap((pair) => (pair === undefined ? [] : [direction(...pair)]))
  const [u, v] = neck === undefined || hem === undefined ? [0, 1] : direction(middle(...neck), middle(...hem))
  return unit([...directions, [v, -u]].reduce<Point>((sum, [x = 0, y = 0]) => [sum[0] + x, sum[1] + y], [0, 0]))
}

function pairOf(at: At, name: string): readonly [Point, Point] | undefined {
  const [left, right] = [at(`${name}L`), at(`${name}R`)]
  return Math.min(left.reliability, right.reliability) < maybeSeen ? undefined : [left.place, right.place]
}
