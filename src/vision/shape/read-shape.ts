import type { Point } from '../picture.ts'
import type { Segmentation } from '../segment/segment-garment.ts'
import { traceOutlines } from '../segment/trace-outline.ts'
import { type Armpits, findArmpits } from './find-armpits.ts'
import { findAxis, toPicture } from './find-axis.ts'
import { distance } from './find-corners.ts'
import type { Layout } from './landmarks.ts'
import { type Crotch, findCrotch } from './locate-legs.ts'
import { locateTop } from './locate-top.ts'
import { cutRows, type Silhouette } from './silhouette.ts'

/** What the outline alone tells. */
export interface Shape {
  /** In pixels of the picture that was segmented. */
  readonly outline: readonly Point[]
  readonly holes: readonly (readonly Point[])[]
  readonly silhouette: Silhouette
  readonly armpits: Armpits | undefined
  readonly crotch: Crotch | undefined
  readonly top: Layout
  /** Cloth with a large hole in its upper part, as a bag with a handle has. */
  readonly hasHandle: boolean
  /** Width of the dip in the top edge, where a neckline is, as a share of the whole width. */
  readonly topDip: number
  readonly lengthToChest: number
  readonly longSleeves: boolean
}

/** A gap between legs starts narrow; the gap below a hem is at once as wide as the body. */
const MAX_LEG_GAP = 0.2
const MIN_LEG_SHARE = 0.1

export function readShape({ mask, coverage }: Segmentation): Shape {
  const [outline = [], ...holes] = traceOutlines(coverage, mask.width, mask.height)
  const silhouette = cutRows(outline, findAxis(mask))
  const found = findCrotch(silhouette)
  const crotch =
    found !== undefined && found.legShare > MIN_LEG_SHARE && found.gapShare < MAX_LEG_GAP ? found : undefined
  const armpits = crotch === undefined ? findArmpits(silhouette) : undefined
  const top = locateTop(silhouette, armpits)
  const length = (name: string) => {
    const line = top.lines.find((candidate) => candidate.name === name)
    return line === undefined ? 0 : distance(line.from, line.to)
  }
  const chest = Math.max(1, length('Chest'))
  return {
    outline,
    holes,
    silhouette,
    armpits,
    crotch,
    top,
    hasHandle: spansHole(silhouette, mask),
    topDip: dipAtTop(silhouette),
    lengthToChest: length('Body Length') / chest,
    longSleeves: length('Sleeve Length') / chest > 0.75,
  }
}

/** Along the centre line, cloth above bare ground above cloth: the ground shows through a handle. */
function spansHole(silhouette: Silhouette, mask: Segmentation['mask']): boolean {
  let seenCloth = false
  let bare = 0
  for (let row = 0; row < silhouette.height * 0.6; row++) {
    const [x, y] = toPicture(silhouette.axis, 0, silhouette.top + row)
    const covered = mask.data[Math.round(y) * mask.width + Math.round(x)] === 1
    if (covered) seenCloth = true
    else if (seenCloth) bare++
  }
  return bare > silhouette.height * 0.06
}

/** The widest bare stretch in the first rows, as a share of the whole width: between the two sides of a neckline. */
function dipAtTop({ rows, height, left, right }: Silhouette): number {
  let widest = 0
  for (let row = 1; row < height * 0.035; row++) {
    const runs = rows[row] ?? []
    for (let index = 1; index < runs.length; index++)
      widest = Math.max(widest, runs[index]!.left - runs[index - 1]!.right)
  }
  return widest / Math.max(1, right - left)
}
