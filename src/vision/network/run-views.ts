import {
  classify,
  findLandmarks,
  type HeadLogits,
  type LandmarkMaps,
  type NetworkOutput,
  runNetwork,
} from './run-network.ts'
import type { Box, Picture } from '../picture.ts'
import { sampleSquare, type Square } from './sample-square.ts'
import { findParts } from '../segment/label-regions.ts'
import type { Classifier, Network } from './network.ts'

export function mirrorPixels(pixels: Uint8Array, size: number): Uint8Array {
  const mirrored = new Uint8Array(pixels.length)
  for (let row = 0, from = 0; row < size; row++)
    for (let to = (row * size + size - 1) * 3, column = 0; column < size; column++, from += 3, to -= 3) {
      mirrored[to] = pixels[from]!
      mirrored[to + 1] = pixels[from + 1]!
      mirrored[to + 2] = pixels[from + 2]!
    }
  return mirrored
}

/** Averages landmark maps with those of the mirrored picture: the mean of logits and of probabilities. */
export function averageMirrored({ points, ...maps }: LandmarkMaps, mirrored: LandmarkMaps): LandmarkMaps {
  const { side } = maps
  const byName = new Map(mirrored.points.map((point) => [point.name, point]))
  return {
    ...maps,
    points: points.map((point) => {
      const { logits, presence } = byName.get(otherSide(point.name)) ?? point
      const mean = new Float32Array(logits.length)
      for (let row = 0, cell = 0; cell < mean.length; row += side)
        for (let opposite = row + side - 1; opposite >= row; opposite--, cell++)
          mean[cell] = (point.logits[cell]! + logits[opposite]!) / 2
      return { name: point.name, presence: (point.presence + presence) / 2, logits: mean }
    }),
  }
}

/** Swaps left and right in a landmark's name, such as `hemLo` and `hemRo`. Central landmarks keep their name. */
const otherSide = (name: string) => name.replace(/[LR]/, (side) => (side === 'L' ? 'R' : 'L'))

/** Side of the neckline square: a share of the box's width, or of this share of its height if that is smaller. */
const share = 0.65
const heightShare = 0.8
/** Distance of the square's centre below the box's upper edge, relative to its side. */
const down = 0.42

/** Returns the square around the neckline, in the upper middle of a garment's box. Must match the training code. */
export function neckSquare({ left, top, right, bottom }: Box): Square {
  const side = share * Math.min(right - left, heightShare * (bottom - top))
  return { left: (left + right - side) / 2, top: top + (down - 0.5) * side, side }
}

const minPart = 0.1

/** Returns the box around all large parts of a map, in its pixels, or undefined if no probability exceeds one half. */
export function outlineBox(probabilities: Float32Array, side: number): Box | undefined {
  const data = Uint8Array.from(probabilities, (probability) => (probability > 0.5 ? 1 : 0))
  const parts = findParts({ width: side, height: side, data }, minPart)
  if (parts.length === 0) return undefined
  return {
    left: Math.min(...parts.map(({ left }) => left)),
    top: Math.min(...parts.map(({ top }) => top)),
    right: Math.max(...parts.map(({ right }) => right)),
    bottom: Math.max(...parts.map(({ bottom }) => bottom)),
  }
}

export interface LookSettings {
  /** Input size in pixels of the look at the whole picture, and of the look at the crop. */
  readonly wholeSize: number
  readonly cropSize: number
  /** Side of the crop, relative to the longer side of the outline's box. */
  readonly cropMargin: number
  /** Input sizes of the looks from near: at the garment, and for its landmarks. */
  readonly nearSize: number
  readonly landmarkSize: number
  /** Weights of the looks' logits, among the looks that have a head. `mirrored` is the mirrored whole picture. */
  readonly weights: {
    readonly whole: number
    readonly crop: number
    readonly mirrored: number
    readonly near: number
  }
  /** Look at the neckline. Its logits have these weights by head, and all other looks together have the rest. */
  readonly neck: { readonly size: number; readonly weights: Readonly<Record<string, number>> }
  readonly outside: number
}

/** Probabilities of garment over a square region, `side` x `side`, row by row. */
export interface OutlineMap {
  readonly square: Square
  readonly side: number
  readonly probabilities: Float32Array
}

export interface ViewsOutput {
  readonly logits: HeadLogits
  /** Outlines from the whole picture and from the crop around the garment. */
  readonly outlines: readonly [whole: OutlineMap, crop: OutlineMap]
  /** Landmarks over the crop around the garment. */
  readonly landmarks: LandmarkMaps & { readonly square: Square }
}

/** Minimum side of a crop, relative to the whole picture's square. */
const minCrop = 1 / 6

/**
 * Runs all looks at a picture: the whole, its mirror image, and the crop around the outline found first. Separate
 * networks look at the garment from near, at its neckline, and for landmarks. Landmarks are also found in the mirror
 * image, because random errors seldom occur in both. Yields to the event loop.
 */
export async function runViews(network: Network, settings: LookSettings, picture: Picture): Promise<ViewsOutput> {
  const whole = wholeSquare(picture)
  const { wholeSize, cropSize, landmarkSize, weights, outside } = settings
  const pixels = sampleSquare(picture, whole, wholeSize, outside)
  const first = await runNetwork(network, pixels, wholeSize)
  const mirrored = await classify(network, network.tags, mirrorPixels(pixels, wholeSize), wholeSize)
  const crop = cropAround(boxIn(whole, first.outline), whole, settings.cropMargin)
  const second = await runNetwork(network, sampleSquare(picture, crop, cropSize, outside), cropSize)
  const box = boxIn(crop, second.outline)
  const garment = cropAround(box, whole, settings.cropMargin)
  const landmarks = await lookForLandmarks(network, sampleSquare(picture, garment, landmarkSize, outside), landmarkSize)
  const lookFromNear = async (classifier: Classifier, square: Square, size: number) =>
    await classify(network, classifier, sampleSquare(picture, square, size, outside), size)
  const near = await lookFromNear(network.near, garment, settings.nearSize)
  const neck = await lookFromNear(network.neck, neckSquare(box ?? boxOf(whole)), settings.neck.size)
  const others = mix([
    [first.heads, weights.whole],
    [second.heads, weights.crop],
    [mirrored, weights.mirrored],
    [near, weights.near],
  ])
  const withNeck = ([head, answers]: [string, Float32Array]) => {
    const weight = settings.neck.weights[head] ?? 0
    return [head, answers.map((logit, i) => (1 - weight) * others[head]![i]! + weight * logit)] as const
  }
  const { label, orientation } = first.heads
  return {
    logits: {
      ...others,
      ...Object.fromEntries(Object.entries(neck).map(withNeck)),
      // These heads have learned from whole pictures only.
      ...(label && { label }),
      ...(orientation && { orientation }),
    },
    outlines: [
      { square: whole, ...first.outline },
      { square: crop, ...second.outline },
    ],
    landmarks: { square: garment, ...landmarks },
  }
}

async function lookForLandmarks(network: Network, pixels: Uint8Array, size: number): Promise<LandmarkMaps> {
  const landmarks = await findLandmarks(network, pixels, size)
  return averageMirrored(landmarks, await findLandmarks(network, mirrorPixels(pixels, size), size))
}

type Look = readonly [logits: HeadLogits, weight: number]

/** Returns weighted means of logits over the looks that have a head. Heads are those of the first look. */
function mix(looks: readonly [first: Look, ...others: Look[]]): HeadLogits {
  const meanOf = (head: string) => {
    const answers = looks.flatMap(([logits, weight]) => (head in logits ? [{ logits: logits[head]!, weight }] : []))
    const total = answers.reduce((sum, { weight }) => sum + weight, 0)
    return answers[0]!.logits.map((_, i) =>
      answers.reduce((sum, { logits, weight }) => sum + (logits[i]! * weight) / total, 0),
    )
  }
  return Object.fromEntries(Object.keys(looks[0][0]).map((head) => [head, meanOf(head)]))
}

const boxOf = ({ left, top, side }: Square): Box => ({ left, top, right: left + side, bottom: top + side })

/** Returns the box, in the picture's pixels, around an outline drawn over a square. */
function boxIn(square: Square, { side, probabilities }: NetworkOutput['outline']): Box | undefined {
  const box = outlineBox(probabilities, side)
  if (box === undefined) return undefined
  const scale = square.side / side
  const [x, y] = [(place: number) => square.left + place * scale, (place: number) => square.top + place * scale]
  return { left: x(box.left), top: y(box.top), right: x(box.right), bottom: y(box.bottom) }
}

function cropAround(box: Box | undefined, whole: Square, margin: number): Square {
  if (box === undefined) return whole
  const { left, top, right, bottom } = box
  const side = Math.max(margin * Math.max(right - left, bottom - top), whole.side * minCrop)
  return { left: (left + right - side) / 2, top: (top + bottom - side) / 2, side }
}

export function wholeSquare({ width, height }: Picture): Square {
  const side = Math.max(width, height)
  return { left: (width - side) / 2, top: (height - side) / 2, side }
}
