import type { Point } from '../picture.ts'
import { toPicture } from './find-axis.ts'
import { distance } from './find-corners.ts'
import type { FrameLine, Layout } from './landmarks.ts'
import type { Silhouette } from './silhouette.ts'

/** A garment less symmetric than this lies folded, askew or on a body: its lengths mean nothing. */
const LEAST_SYMMETRY = 0.8

/** Sleeves that differ by more than this share of the longer one lie folded. */
const SLEEVE_DIFFERENCE = 0.2

/** A long sleeve is at least this much of the chest's width; a shorter one is rolled up or folded under. */
const LONG_SLEEVE_TO_CHEST = 0.75

/** Points nearer to the picture's edge than this share of its shorter side may lie on cloth that is cut off. */
const EDGE_SHARE = 0.01

/**
 * Leaves out the lines that the outline does not carry: all of them on what has no mirror symmetry (but for bags, shoes
 * and hats), those that end at the picture's edge, and sleeves that lie folded.
 * @param isLongSleeved whether the sleeves are known to be long
 */
export function chooseLines(
  { lines, landmarks }: Layout,
  silhouette: Silhouette,
  picture: { readonly width: number; readonly height: number },
  isLongSleeved: boolean,
): FrameLine[] {
  if (silhouette.axis.symmetry < LEAST_SYMMETRY) return lines.filter(({ name }) => BOX_LINES.has(name))
  const isInside = (point: Point) => {
    const [x, y] = toPicture(silhouette.axis, ...point)
    const margin = EDGE_SHARE * Math.min(picture.width, picture.height)
    return x > margin && y > margin && x < picture.width - 1 - margin && y < picture.height - 1 - margin
  }
  const foldedSleeves = areSleevesFolded({ lines, landmarks }, isLongSleeved)
  return lines.filter(
    ({ name, from, to }) =>
      isInside(from) && isInside(to) && !(foldedSleeves && (name === 'Sleeve Length' || name === 'Cuff')),
  )
}

const BOX_LINES = new Set(['Width', 'Height'])

function areSleevesFolded({ lines, landmarks }: Layout, isLongSleeved: boolean): boolean {
  const lengthOf = (side: 'Left' | 'Right') => {
    const [shoulder, cuff] = [landmarks[`${side} Shoulder`], landmarks[`${side} Cuff Outer`]]
    return shoulder === undefined || cuff === undefined ? 0 : distance(shoulder, cuff)
  }
  const [left, right] = [lengthOf('Left'), lengthOf('Right')]
  if (Math.abs(left - right) > SLEEVE_DIFFERENCE * Math.max(left, right)) return true
  const chest = lines.find(({ name }) => name === 'Chest')
  return isLongSleeved && chest !== undefined && right < distance(chest.from, chest.to) * LONG_SLEEVE_TO_CHEST
}
