import { cornersOfPage } from '../../../src/vision/card/card-layout.ts'
import { type Homography, project } from '../../../src/vision/card/homography.ts'
import type { Point } from '../../../src/vision/picture.ts'
import { signedArea } from '../../../src/vision/geometry.ts'
import { createRandom, type Random } from '../../../training/flat-lay/random.ts'
import { mapOf } from './camera.ts'
import type { Light } from './light.ts'
import { type CutOut, type Placement, type Scene, toScene } from './render-scene.ts'

export interface SampledScene extends Scene {
  readonly card: Placement
  readonly garment: Placement & { readonly cutOut: CutOut }
  /** Share of the picture that the card's page covers. */
  readonly share: number
  readonly tilt: number
  readonly quality: number
}

export const maxTilt = 30
export const minShare = 0.02

const sizes: readonly Point[] = [
  [960, 1280],
  [1280, 960],
  [1200, 1600],
  [1512, 2016],
  [768, 1024],
]

/** A garment, the card beside it in any turn, and a phone held over both. */
export function sampleScene(seed: number, cutOut: CutOut, floor: Scene['floor']): SampledScene {
  for (let attempt = 0; ; attempt++) {
    const random = createRandom(seed * 1009 + attempt)
    const [width, height] = random.pick(sizes) as [number, number]
    const garment = { cutOut, at: [0, 0] as const, turn: random.normal(0, 6) }
    const card = placeCard(random, cutOut)
    const corners = [...cornersOf(garment, boxCorners(cutOut)), ...cornersOf(card, cornersOfPage)]
    const tilt = random.between(0, maxTilt)
    const view = {
      width,
      height,
      focal: Math.max(width, height) * random.between(0.68, 0.85),
      target: middleOf(corners),
      tilt,
      direction: random.between(0, 360),
      roll: random.normal(0, 8),
    }
    const nearest = Array.from({ length: 60 }, (_, step) => 40 * 1.05 ** step).find((distance) =>
      isInside(mapOf({ ...view, distance }), corners, width, height),
    )
    if (nearest === undefined) continue
    const toPicture = mapOf({ ...view, distance: nearest * random.between(1, 1.6) })
    const share =
      Math.abs(signedArea(cornersOf(card, cornersOfPage).map((point) => project(toPicture, point)))) / (width * height)
    if (share < minShare) continue
    const middle = project(toPicture, card.at)
    return {
      width,
      height,
      toPicture,
      floor,
      garment,
      card,
      share,
      tilt,
      light: sampleLight(random, width, middle),
      quality: random.between(60, 92),
    }
  }
}

/** Half of the cards lie about straight, the others in any turn, on one of four sides of the garment. */
function placeCard(random: Random, { picture, cmPerPixel, mask }: CutOut): Placement {
  const turn = random.chance(0.5) ? random.normal(0, 5) + random.pick([0, 90, 180, 270]) : random.between(0, 360)
  const [left, top, right, bottom] = boxOfMask(mask, picture.width)
  const half = ((picture.width - 1) / 2) * cmPerPixel
  const halfDown = ((picture.height - 1) / 2) * cmPerPixel
  const radians = (turn * Math.PI) / 180
  const reachX = Math.abs(Math.cos(radians)) * 10.8 + Math.abs(Math.sin(radians)) * 14.85
  const reachY = Math.abs(Math.sin(radians)) * 10.8 + Math.abs(Math.cos(radians)) * 14.85
  const gap = random.between(1, 6)
  const side = random.pick(['left', 'right', 'below', 'above'] as const)
  const along = random.between(0, 1)
  const x = (left + (right - left) * along) * cmPerPixel - half
  const y = (top + (bottom - top) * along) * cmPerPixel - halfDown
  if (side === 'left') return { at: [left * cmPerPixel - half - gap - reachX, y], turn }
  if (side === 'right') return { at: [right * cmPerPixel - half + gap + reachX, y], turn }
  if (side === 'above') return { at: [x, top * cmPerPixel - halfDown - gap - reachY], turn }
  return { at: [x, bottom * cmPerPixel - halfDown + gap + reachY], turn }
}

function sampleLight(random: Random, width: number, [x, y]: Point): Light {
  const isShaded = random.chance(0.5)
  const paper = Math.round(random.between(150, 250))
  return {
    paper,
    ink: Math.round(random.between(18, 60)),
    shadow: {
      through: [x + random.normal(0, width * 0.1), y + random.normal(0, width * 0.1)],
      turn: random.between(0, 360),
      left: isShaded ? random.between(0.25, 0.9) : 1,
      edge: random.chance(0.5) ? random.between(2, 12) : random.between(12, width / 2),
    },
    blur: random.between(0, 1.2) * (width / 1000),
    noise: random.between(0, 7),
  }
}

/** Corners of the box around the garment, in centimetres. */
export function boxCorners({ picture, mask, cmPerPixel }: CutOut): Point[] {
  const [left, top, right, bottom] = boxOfMask(mask, picture.width)
  const place = (x: number, y: number): Point => [
    (x - (picture.width - 1) / 2) * cmPerPixel,
    (y - (picture.height - 1) / 2) * cmPerPixel,
  ]
  return [place(left, top), place(right, top), place(right, bottom), place(left, bottom)]
}

/** The box around what is 1. */
export function boxOfMask(mask: Uint8Array, width: number): readonly [number, number, number, number] {
  let [left, top, right, bottom] = [width, mask.length / width, 0, 0]
  mask.forEach((value, index) => {
    if (value === 0) return
    const [x, y] = [index % width, Math.floor(index / width)]
    left = Math.min(left, x)
    right = Math.max(right, x)
    top = Math.min(top, y)
    bottom = Math.max(bottom, y)
  })
  return [left, top, right, bottom]
}

const cornersOf = (placement: Placement, corners: readonly Point[]) =>
  corners.map((corner) => toScene(placement, corner))

function middleOf(points: readonly Point[]): Point {
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)]
  return [(Math.min(...xs) + Math.max(...xs)) / 2, (Math.min(...ys) + Math.max(...ys)) / 2]
}

function isInside(map: Homography, points: readonly Point[], width: number, height: number): boolean {
  return points.every((point) => {
    const isBefore = map[6]! * point[0] + map[7]! * point[1] + 1 > 0
    const [x, y] = project(map, point)
    return isBefore && x > 0.02 * width && y > 0.02 * height && x < 0.98 * width && y < 0.98 * height
  })
}
