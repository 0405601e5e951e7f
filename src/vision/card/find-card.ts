import type { Picture, Point } from '../picture.ts'
import { signedArea } from '../geometry.ts'
import { cornersOfMarker, cornersOfPage, markers, markerSide, type Quad } from './card-layout.ts'
import { fitHomography, type Homography, invert, project } from './homography.ts'
import { readMarker, type ReadMarker, refineCorners } from './read-marker.ts'
import type { NoteCode } from '../scene.ts'
import { enlargePoint } from '../image/shrink.ts'
import { findQuads, mapQuad, markDark } from './find-quads.ts'

interface PlacedCard {
  readonly seen: readonly ReadMarker[]
  /** From centimetres on the card to the picture. */
  readonly toPicture: Homography
  /** Mean distance of the corners from where the plane has them, in edges of a marker. */
  readonly bend: number
}

/** Error of another marker's place as predicted by one, in edges of a marker for each edge between the two. */
const tolerance = 0.3

/** In edges of a marker: one whose corners have a larger mean error does not belong to the card. */
const maxError = 0.06

/** When two markers disagree, nothing shows which one is wrong. */
const minToCompare = 3

/** The largest group of markers that lie as on one card, as predicted by one of them. */
function largestGroup(found: readonly ReadMarker[]): ReadMarker[] {
  let largest: ReadMarker[] = []
  for (const seed of found) {
    const map = fitHomography(cornersOfMarker(markers[seed.index]!), seed.corners)
    if (map === undefined) continue
    const group = new Map([[seed.index, seed]])
    for (const marker of found)
      if (!group.has(marker.index) && liesAsOnCard(map, seed, marker)) group.set(marker.index, marker)
    if (group.size > largest.length) largest = [...group.values()]
  }
  return largest
}

function liesAsOnCard(map: Homography, seed: ReadMarker, marker: ReadMarker): boolean {
  const [one, other] = [markers[seed.index]!, markers[marker.index]!]
  const away = Math.hypot(one.left - other.left, one.top - other.top) / markerSide
  return errorOf(map, marker, 0) < tolerance * away
}

/** Fits the plane to all corners, and again without markers that do not fit. */
function placeCard(found: readonly ReadMarker[]): PlacedCard | undefined {
  let seen = [...found]
  for (;;) {
    const placed = fitPlane(seen)
    if (placed === undefined) return undefined
    const errors = seen.map((marker) => errorOf(placed.toPicture, marker, placed.spread))
    const worst = Math.max(...errors)
    if (worst < maxError || seen.length <= minToCompare) {
      const bend = Math.sqrt(errors.reduce((sum, error) => sum + error ** 2, 0) / errors.length)
      return { seen, toPicture: placed.toPicture, bend }
    }
    seen = seen.filter((_, index) => errors[index] !== worst)
  }
}

/**
 * Least squares over all corners. Ink spreads and light blurs, so all edges lie a little further in or out than drawn:
 * by how much is part of the fit.
 */
function fitPlane(seen: readonly ReadMarker[]) {
  const corners = seen.flatMap((marker) => marker.corners)
  let spread = 0
  let toPicture: Homography | undefined
  for (let round = 0; round < 3; round++) {
    const by = spread
    toPicture = fitHomography(
      seen.flatMap(({ index }) => spreadCorners(index, by)),
      corners,
    )
    const toPlane = toPicture === undefined ? undefined : invert(toPicture)
    if (toPlane === undefined) return undefined
    const outwards = seen.flatMap(({ index, corners }) =>
      cornersOfMarker(markers[index]!).map(([x, y], corner) => {
        const [atX, atY] = project(toPlane, corners[corner]!)
        const [signX, signY] = directions[corner]!
        return ((atX - x) * signX + (atY - y) * signY) / 2
      }),
    )
    spread = outwards.reduce((sum, value) => sum + value, 0) / outwards.length
  }
  return toPicture === undefined ? undefined : { toPicture, spread }
}

/** Away from a marker's middle, for its corners clockwise from the upper left. */
const directions: readonly Point[] = [
  [-1, -1],
  [1, -1],
  [1, 1],
  [-1, 1],
]

function spreadCorners(index: number, spread: number): Point[] {
  return cornersOfMarker(markers[index]!).map(([x, y], corner) => [
    x + directions[corner]![0] * spread,
    y + directions[corner]![1] * spread,
  ])
}

/** How far a marker's corners lie from where a map has them, in the mean and in edges of the marker. */
function errorOf(map: Homography, { index, corners }: ReadMarker, spread: number): number {
  const squares = spreadCorners(index, spread).map((point, corner) => {
    const [x, y] = project(map, point)
    return (x - corners[corner]![0]) ** 2 + (y - corners[corner]![1]) ** 2
  })
  return Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / 4) / sideOf(corners)
}

/** The side of a square of the same area. */
function sideOf(corners: Quad): number {
  return Math.sqrt(Math.abs(signedArea(corners)))
}

export interface Card {
  /** The page's corners in the picture, clockwise from the page's upper left. */
  readonly corners: readonly Point[]
  /** From the picture to centimetres in the plane that the card lies in. */
  readonly toPlane: Homography
  /** Why the card gives no scale. */
  readonly problem: CardProblem | undefined
}

type CardProblem = Extract<NoteCode, 'card_small' | 'card_hidden' | 'card_bent'>

/** Markers are looked for in half the resolution where the picture's longer edge has more pixels than this. */
const fineEdge = 960

/** One marker can be a coincidence; two that lie as on the card are not. */
const minSeen = 2

/** With fewer, the plane is not exact enough to measure far from the card. */
const minMarkers = 4

/** In pixels: markers with shorter edges are too coarse to measure with. */
const minSide = 16

/**
 * Mean distance of a flat card's corners from one plane, at most: in pixels, and in edges of a marker. A page whose
 * middle lies half a centimetre higher exceeds it.
 */
const maxBend = { pixels: 0.25, edges: 0.008 }

/** Finds the printed card in a picture, wherever it lies; `undefined` where there is none. */
export function findCard(picture: Picture): Card | undefined {
  const found = largestGroup(readMarkers(picture))
  if (found.length < minSeen) return undefined
  const refined = found.flatMap((marker) => {
    const corners = refineCorners(picture, marker.corners)
    return corners === undefined ? [] : [{ ...marker, corners }]
  })
  const placed = placeCard(refined.length < minSeen ? found : refined)
  if (placed === undefined) return undefined
  const others = findOthers(picture, placed)
  return toCard(others.length === 0 ? placed : (placeCard([...placed.seen, ...others]) ?? placed))
}

function readMarkers(picture: Picture): ReadMarker[] {
  const factor = Math.max(picture.width, picture.height) > fineEdge ? 2 : 1
  return findQuads(markDark(picture, factor)).flatMap((quad) => {
    const marker = readMarker(
      picture,
      mapQuad(quad, (corner) => enlargePoint(corner, factor)),
    )
    return marker === undefined ? [] : [marker]
  })
}

/** Looks for the other markers where those that were seen have them: the edge of a shadow can break a frame. */
function findOthers(picture: Picture, { seen, toPicture }: PlacedCard): ReadMarker[] {
  return markers.flatMap((marker, index) => {
    if (seen.some((other) => other.index === index)) return []
    const corners = refineCorners(
      picture,
      mapQuad(cornersOfMarker(marker), (point) => project(toPicture, point)),
    )
    const read = corners === undefined ? undefined : readMarker(picture, corners)
    return read?.index === index ? [read] : []
  })
}

function toCard({ seen, toPicture, bend }: PlacedCard): Card | undefined {
  const toPlane = invert(toPicture)
  if (toPlane === undefined) return undefined
  const side = Math.min(...seen.map(({ corners }) => sideOf(corners)))
  return {
    corners: cornersOfPage.map((point) => project(toPicture, point)),
    toPlane,
    problem: problemOf(side, seen.length, bend),
  }
}

function problemOf(side: number, count: number, bend: number): CardProblem | undefined {
  if (side < minSide) return 'card_small'
  if (bend > Math.max(maxBend.edges, maxBend.pixels / side)) return 'card_bent'
  return count < minMarkers ? 'card_hidden' : undefined
}
