import { direction } from '../shape/find-corners.ts'
import type { PointLine } from './body-lines.ts'
import { type At, maybeSeen } from './frame-point.ts'

/** How far a waist and the hem below it are from parallel; on dresses and skirts marked by eye, at most 0.2. */
const maxSkew = 0.35

/** The waist of a skirt or dress; none where one of its ends was found far below the other. */
export function waistLine(at: At): PointLine[] {
  const [left, right, hemLeft, hemRight] = [at('waistL'), at('waistR'), at('hemL'), at('hemR')]
  const [u, v] = direction(left.place, right.place)
  const [hemU, hemV] = direction(hemLeft.place, hemRight.place)
  const isHemSeen = Math.min(hemLeft.reliability, hemRight.reliability) >= maybeSeen
  if (isHemSeen && Math.abs(u * hemV - v * hemU) > maxSkew) return []
  return [
    { name: 'Waist', from: left.place, to: right.place, reliability: Math.min(left.reliability, right.reliability) },
  ]
}
