import type { NoteCode } from '../scene.ts'
import type { Picture, Point } from '../picture.ts'
import { enlargePoint } from '../image/shrunk-point.ts'
import { cornersOfMarker, cornersOfPage, markers } from './card-layout.ts'
import { findQuads, mapQuad } from './find-quads.ts'
import { type Homography, invert, project } from './homography.ts'
import { markDark } from './mark-dark.ts'
import { largestGroup, type PlacedCard, placeCard, sideOf } from './place-card.ts'
import { type ReadMarker, readMarker } from './read-code.ts'
import { refineCorners } from './refine-corners.ts'

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
