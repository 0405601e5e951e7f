import { distance } from '../shape/find-corners.ts'
import type { PointLine } from './body-lines.ts'
import { type At, maybeSeen } from './frame-point.ts'

/** Of the shoulders' width: one lies so much further from the neck than the other at most, or one was not found. */
const maxDifference = 0.15

/** From shoulder to shoulder. */
export function shoulderLine(at: At): PointLine[] {
  const [left, right, neck, otherNeck] = [at('shoulderL'), at('shoulderR'), at('neckL'), at('neckR')]
  const difference = Math.abs(distance(left.place, neck.place) - distance(right.place, otherNeck.place))
  const isNeckSeen = Math.min(neck.reliability, otherNeck.reliability) >= maybeSeen
  if (isNeckSeen && difference > distance(left.place, right.place) * maxDifference) return []
  return [
    { name: 'Shoulder', from: left.place, to: right.place, reliability: Math.min(left.reliability, right.reliability) },
  ]
}
