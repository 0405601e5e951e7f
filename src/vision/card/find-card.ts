import type { Picture, Point } from '../picture.ts'
import { signedArea } from '../geometry.ts'
import { cornersOfMarker, cornersOfPage, markers, markerSide, type Quad } from './card-layout.ts'
import { fitHomography, type Homography, invert, project } from './homography.ts'
import { readMarker, type ReadMarker, refineCorners } from './read-marker.ts'
import type { NoteCode } from '../scene.ts'
import { enlargePoint } from '../image/shrink.ts'
import { findQuads, mapQuad, markDark } from './find-quads.ts'

interface FittedCard {
  readonly visible: readonly ReadMarker[]
  readonly toPicture: Homography
  /** Mean distance of the corners from their position in the fitted plane, in marker edges. */
  readonly bend: number
}

/** Error allowed when one marker predicts another, in marker edges per edge of distance. */
const tolerance = 0.3

/** Maximum mean error of a marker's corners, in marker edges. A marker with a larger error is not part of the card. */
const maxError = 0.06

/** With only two markers that disagree, neither can be shown to be wrong. */
const minToCompare = 3

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

/** Fits a plane to all corners, and refits it without the worst marker until all markers fit. */
function fitCard(found: readonly ReadMarker[]): FittedCard | undefined {
  let visible = [...found]
  for (;;) {
    const fitted = fitPlane(visible)
    if (fitted === undefined) return undefined
    const errors = visible.map((marker) => errorOf(fitted.toPicture, marker, fitted.spread))
    const worst = Math.max(...errors)
    if (worst < maxError || visible.length <= minToCompare) {
      const bend = Math.sqrt(errors.reduce((sum, error) => sum + error ** 2, 0) / errors.length)
      return { visible, toPicture: fitted.toPicture, bend }
    }
    visible = visible.filter((_, index) => errors[index] !== worst)
  }
}

/** Fits the homography by least squares, with the spread of ink and blur, which moves all edges equally. */
function fitPlane(visible: readonly ReadMarker[]) {
  const corners = visible.flatMap((marker) => marker.corners)
  let spread = 0
  let toPicture: Homography | undefined
  for (let round = 0; round < 3; round++) {
    const by = spread
    toPicture = fitHomography(
      visible.flatMap(({ index }) => spreadCorners(index, by)),
      corners,
    )
    const toPlane = toPicture === undefined ? undefined : invert(toPicture)
    if (toPlane === undefined) return undefined
    const outwards = visible.flatMap(({ index, corners }) =>
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

/** Returns the root mean square error of a marker's corners, in marker edges. */
function errorOf(map: Homography, { index, corners }: ReadMarker, spread: number): number {
  const squares = spreadCorners(index, spread).map((point, corner) => {
    const [x, y] = project(map, point)
    return (x - corners[corner]![0]) ** 2 + (y - corners[corner]![1]) ** 2
  })
  return Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / 4) / sideOf(corners)
}

function sideOf(corners: Quad): number {
  return Math.sqrt(Math.abs(signedArea(corners)))
}

export interface Card {
  /** Corners of the page, clockwise from its own upper left corner. */
  readonly corners: readonly Point[]
  readonly toPlane: Homography
  readonly problem: CardProblem | undefined
}

type CardProblem = Extract<NoteCode, 'card_small' | 'card_hidden' | 'card_bent'>

/** Above this edge in pixels, markers are searched at half the resolution. */
const fineEdge = 960

/** One marker can be a coincidence, two that agree cannot. */
const minSeen = 2

/** With fewer markers, the plane is too inexact to measure far from the card. */
const minMarkers = 4

/** Markers with shorter edges, in pixels, are too coarse to measure with. */
const minSide = 16

/** Maximum mean deviation of a flat card from a plane. A page whose centre is raised by 0.5 cm exceeds it. */
const maxBend = { pixels: 0.25, edges: 0.008 }

export function findCard(picture: Picture): Card | undefined {
  const found = largestGroup(readMarkers(picture))
  if (found.length < minSeen) return undefined
  const refined = found.flatMap((marker) => {
    const corners = refineCorners(picture, marker.corners)
    return corners === undefined ? [] : [{ ...marker, corners }]
  })
  const fitted = fitCard(refined.length < minSeen ? found : refined)
  if (fitted === undefined) return undefined
  const others = findOthers(picture, fitted)
  return toCard(others.length === 0 ? fitted : (fitCard([...fitted.visible, ...others]) ?? fitted))
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

/** Looks for missing markers at their predicted positions, because a shadow can break a marker's frame. */
function findOthers(picture: Picture, { visible, toPicture }: FittedCard): ReadMarker[] {
  return markers.flatMap((marker, index) => {
    if (visible.some((other) => other.index === index)) return []
    const corners = refineCorners(
      picture,
      mapQuad(cornersOfMarker(marker), (point) => project(toPicture, point)),
    )
    const read = corners === undefined ? undefined : readMarker(picture, corners)
    return read?.index === index ? [read] : []
  })
}

function toCard({ visible, toPicture, bend }: FittedCard): Card | undefined {
  const toPlane = invert(toPicture)
  if (toPlane === undefined) return undefined
  const side = Math.min(...visible.map(({ corners }) => sideOf(corners)))
  return {
    corners: cornersOfPage.map((point) => project(toPicture, point)),
    toPlane,
    problem: problemOf(side, visible.length, bend),
  }
}

function problemOf(side: number, count: number, bend: number): CardProblem | undefined {
  if (side < minSide) return 'card_small'
  if (bend > Math.max(maxBend.edges, maxBend.pixels / side)) return 'card_bent'
  return count < minMarkers ? 'card_hidden' : undefined
}
