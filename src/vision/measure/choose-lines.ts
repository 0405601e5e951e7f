import type { Point } from '../picture.ts'
import type { Build } from '../taxonomy/item.ts'
import { type FrameLine, type Layout, type Silhouette, toPicture } from './silhouette.ts'
import { distance } from '../geometry.ts'

/** A garment less symmetric than this lies folded, askew or on a body: its lengths mean nothing. */
const minSymmetry = 0.8

/** Share of the picture's shorter side: cloth that is nearer to the picture's edge may continue beyond it. */
const edgeShare = 0.012

/** Share of the garment's height: an outline that is cut off nearer to an end has lost that end. */
const endShare = 0.15

/** A cut shorter than this share of the garment's width is a thread of the background. */
const minCut = 0.04

/** How far below the waist a crotch can lie, in widths of the hip. */
const maxRise = 0.88

/** Width of a thigh in widths of the hip. Any other is not that of one whole leg, as on very short shorts. */
const thigh = { min: 0.44, max: 0.64 }

/** Lines that cannot be measured if an end of the garment lies outside the picture. */
const needsEnds = new Set(['Length', 'Height'])

/** Lines of bags and hats, which need no mirror symmetry. */
const boxLines = new Set(['Width', 'Height'])

/**
 * Leaves out lines that cannot be trusted: on a garment without mirror symmetry, across the picture's edge, and those
 * that contradict each other.
 * @param picture size of the picture that the silhouette was cut from
 */
export function chooseLines(
  build: Build,
  { lines, landmarks }: Layout,
  silhouette: Silhouette,
  picture: { readonly width: number; readonly height: number },
): FrameLine[] {
  if (silhouette.axis.symmetry < minSymmetry && build !== 'shoe') return lines.filter(({ name }) => boxLines.has(name))
  const margin = edgeShare * Math.min(picture.width, picture.height)
  const isInside = (point: Point) => {
    const [x, y] = toPicture(silhouette.axis, ...point)
    return x > margin && y > margin && x < picture.width - 1 - margin && y < picture.height - 1 - margin
  }
  const cutEnds = silhouette.outline.filter((point) => {
    const share = (point[1] - silhouette.top) / silhouette.height
    return Math.min(share, 1 - share) < endShare && !isInside(point)
  })
  const isCut = cutEnds.length > minCut * (silhouette.right - silhouette.left)
  const wrong = isCrotchPlausible({ lines, landmarks }) ? (isThighPlausible(lines) ? [] : ['Thigh']) : ['Hip', 'Thigh']
  return lines.filter(
    ({ name, from, to }) => isInside(from) && isInside(to) && !wrong.includes(name) && !(isCut && needsEnds.has(name)),
  )
}

function lengthOf(lines: readonly FrameLine[], name: string): number {
  const line = lines.find((candidate) => candidate.name === name)
  return line === undefined ? 0 : distance(line.from, line.to)
}

/** True for garments without legs. */
function isCrotchPlausible({ lines, landmarks: { crotch, waist } }: Layout): boolean {
  return (
    crotch === undefined || waist === undefined || Math.abs(crotch[1] - waist[1]) <= lengthOf(lines, 'Hip') * maxRise
  )
}

function isThighPlausible(lines: readonly FrameLine[]): boolean {
  const share = lengthOf(lines, 'Thigh') / Math.max(1, lengthOf(lines, 'Hip'))
  return share >= thigh.min && share <= thigh.max
}
