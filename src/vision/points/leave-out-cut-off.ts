import type { Point } from '../picture.ts'
import { toPicture } from '../shape/find-axis.ts'
import type { FrameLine } from '../shape/landmarks.ts'
import type { Silhouette } from '../shape/silhouette.ts'

/** Of the picture's shorter side: nearer to the picture's edge a point lies in it, be it inside or beyond. */
const edgeShare = 0.006

/** Lower ends of garments, and the lines that reach to them. */
const ends: Readonly<Record<string, readonly string[]>> = {
  Hem: ['Hem', 'Body Length'],
  'Leg Opening': ['Leg Opening', 'Inseam', 'Outseam'],
}

/**
 * The lines but those that reach to an end of the garment both of whose corners lie in the picture's edge: the garment
 * goes on beyond it. One corner alone does not tell, because many pictures are cut along the garment. Nor those with an
 * end beyond the picture, which nobody could see.
 * @param picture size of the picture that the silhouette was cut from
 */
export function leaveOutCutOff(
  lines: readonly FrameLine[],
  axis: Silhouette['axis'],
  picture: { readonly width: number; readonly height: number },
): readonly FrameLine[] {
  const margin = edgeShare * Math.min(picture.width, picture.height)
  /** How far inside of the picture a point lies; negative beyond it. */
  const depth = (point: Point) => {
    const [x, y] = toPicture(axis, ...point)
    return Math.min(x, y, picture.width - 1 - x, picture.height - 1 - y)
  }
  const cutOff = new Set(
    lines.flatMap(({ name, from, to }) => (Math.max(depth(from), depth(to)) < margin ? (ends[name] ?? []) : [])),
  )
  return lines.filter(({ name, from, to }) => !cutOff.has(name) && Math.min(depth(from), depth(to)) >= -margin)
}
