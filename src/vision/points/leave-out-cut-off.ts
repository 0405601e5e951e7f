import type { Point } from '../picture.ts'
import { toPicture } from '../shape/find-axis.ts'
import type { FrameLine } from '../shape/landmarks.ts'
import type { Silhouette } from '../shape/silhouette.ts'

/** Of the picture's shorter side: nearer to the picture's edge a point lies in it. */
const edgeShare = 0.006

/** Lower ends of garments, and the lines that reach to them. */
const ends: Readonly<Record<string, readonly string[]>> = {
  Hem: ['Hem', 'Body Length'],
  'Leg Opening': ['Leg Opening', 'Inseam', 'Outseam'],
}

/**
 * The lines but those that reach to an end of the garment both of whose corners lie in the picture's edge: the garment
 * goes on beyond it. One corner alone does not tell, because many pictures are cut along the garment.
 * @param picture size of the picture that the silhouette was cut from
 */
export function leaveOutCutOff(
  lines: readonly FrameLine[],
  axis: Silhouette['axis'],
  picture: { readonly width: number; readonly height: number },
): readonly FrameLine[] {
  const margin = edgeShare * Math.min(picture.width, picture.height)
  const isInEdge = (point: Point) => {
    const [x, y] = toPicture(axis, ...point)
    return Math.min(x, y, picture.width - 1 - x, picture.height - 1 - y) < margin
  }
  const cutOff = new Set(
    lines.flatMap(({ name, from, to }) => (isInEdge(from) && isInEdge(to) ? (ends[name] ?? []) : [])),
  )
  return lines.filter(({ name }) => !cutOff.has(name))
}
