import type { Point } from '../picture.ts'
import { toPicture } from '../shape/find-axis.ts'
import { distance } from '../shape/find-corners.ts'
import type { FrameLine, Layout } from '../shape/landmarks.ts'
import type { Silhouette } from '../shape/silhouette.ts'

/** Of the picture's shorter side: nearer to the picture's edge a point lies in it, be it inside or beyond. */
const edgeShare = 0.006

/**
 * The same of the middle of a sleeve's end. It lies half a cuff inside where a whole sleeve only touches the edge: of
 * 36 measured sleeves that ended in the edge, it was nearer in 7, of which 6 went on beyond the picture.
 */
const cuffShare = 0.016

/** Lower ends of garments, and the lines that reach to them. */
const ends: Readonly<Record<string, readonly string[]>> = {
  Hem: ['Hem', 'Body Length'],
  'Leg Opening': ['Leg Opening', 'Inseam', 'Outseam'],
}

/**
 * The lines but those that reach to an end of the garment both of whose corners lie in the picture's edge: the garment
 * goes on beyond it. One corner alone does not tell, because many pictures are cut along the garment. Nor those with an
 * end beyond the picture, which nobody could see, nor a sleeve that is cut off.
 * @param landmarks among them the middles of the sleeves' ends
 * @param picture size of the picture that the silhouette was cut from
 */
export function leaveOutCutOff(
  { lines, landmarks }: Layout,
  axis: Silhouette['axis'],
  picture: { readonly width: number; readonly height: number },
): readonly FrameLine[] {
  const shorterSide = Math.min(picture.width, picture.height)
  const margin = edgeShare * shorterSide
  /** How far inside of the picture a point lies; negative beyond it. */
  const depth = (point: Point) => {
    const [x, y] = toPicture(axis, ...point)
    return Math.min(x, y, picture.width - 1 - x, picture.height - 1 - y)
  }
  const cutOff = new Set(
    lines.flatMap(({ name, from, to }) => (Math.max(depth(from), depth(to)) < margin ? (ends[name] ?? []) : [])),
  )
  const isCutSleeve = ({ name, to }: FrameLine) => {
    if (name !== 'Sleeve Length' || depth(to) >= margin) return false
    const cuffs = [landmarks['Left Cuff'], landmarks['Right Cuff']].filter((cuff) => cuff !== undefined)
    const [cuff] = cuffs.sort((a, b) => distance(a, to) - distance(b, to))
    return cuff !== undefined && depth(cuff) < cuffShare * shorterSide
  }
  return lines.filter(
    (line) => !cutOff.has(line.name) && !isCutSleeve(line) && Math.min(depth(line.from), depth(line.to)) >= -margin,
  )
}
