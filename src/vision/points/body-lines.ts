import type { Point } from '../picture.ts'
import { direction, distance, middle } from '../shape/find-corners.ts'
import type { FrameLine } from '../shape/landmarks.ts'
import { type At, maybeSeen } from './frame-point.ts'
import type { Plane } from './plane.ts'

export interface PointLine extends FrameLine {
  readonly reliability: number
}

/** Of the garment's longer side: a corner of the hem nearer to the middle of a sleeve's end is that of the sleeve. */
const cuffShare = 0.05

/** In widths of the chest: corners of a hem nearer to each other are one and the same. */
const minHem = 0.5

/**
 * How far from square the line between both neck points or both corners of the hem stands to the body: at more, one of
 * them was not found.
 */
const maxSkew = 0.3

/** Hem and length of the body, without those that make no sense. */
export function bodyLines(at: At, size: number, plane: Plane): PointLine[] {
  const [left, right] = [at('hemL'), at('hemR')]
  const isOnCuff = (['L', 'R'] as const).some((side) => {
    const cuff = at(`cuff${side}`)
    return cuff.reliability >= maybeSeen && distance(cuff.place, at(`hem${side}`).place) < size * cuffShare
  })
  const [armpit, other] = [at('armpitL'), at('armpitR')]
  const chest = Math.min(armpit.reliability, other.reliability) < maybeSeen ? 0 : distance(armpit.place, other.place)
  if (distance(left.place, right.place) < chest * minHem) return []
  const reliability = Math.min(left.reliability, right.reliability)
  const hem = { name: 'Hem', from: left.place, to: right.place, reliability }
  return [...(isOnCuff ? [] : [hem]), ...bodyLength(at, plane)]
}

/**
 * From the neck point to the height of the hem, along the line between the middles of both. Square corners are those of
 * the cloth: in the picture of a tilted camera they are not.
 */
function bodyLength(at: At, plane: Plane): PointLine[] {
  const seen = at('neckR')
  const inPlane = (name: string) => ({ ...at(name), place: plane.to(at(name).place) })
  const [neck, otherNeck, left, right] = [inPlane('neckR'), inPlane('neckL'), inPlane('hemL'), inPlane('hemR')]
  const hem = middle(left.place, right.place)
  const top = middle(neck.place, otherNeck.place)
  const hasBoth = otherNeck.reliability >= maybeSeen
  const [u, v] = hasBoth ? direction(top, hem) : direction(neck.place, plane.to([seen.place[0], seen.place[1] + 1]))
  const isSkew = (from: Point, to: Point) => {
    const [across, along] = direction(from, to)
    return Math.abs(across * u + along * v) > maxSkew
  }
  if (hasBoth && (isSkew(otherNeck.place, neck.place) || isSkew(left.place, right.place))) return []
  const length = (hem[0] - neck.place[0]) * u + (hem[1] - neck.place[1]) * v
  return [
    {
      name: 'Body Length',
      from: seen.place,
      to: plane.from([neck.place[0] + u * length, neck.place[1] + v * length]),
      reliability: Math.min(neck.reliability, left.reliability, right.reliability),
    },
  ]
}
