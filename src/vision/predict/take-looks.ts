import type { Classifier, Network } from '../network/network.ts'
import {
  classify,
  findLandmarks,
  type HeadLogits,
  type LandmarkMaps,
  type NetworkOutput,
  runNetwork,
} from '../network/run-network.ts'
import type { Box, Picture } from '../picture.ts'
import { meanOfMirrored, mirrorPixels } from './mirror.ts'
import { neckSquare } from './neck-square.ts'
import { outlineBox } from './outline-box.ts'
import { sampleSquare, type Square } from './sample-square.ts'

export interface LookSettings {
  /** Pixels on an edge that the network reads at the first look and at the second. */
  readonly wholeSize: number
  readonly cropSize: number
  /** Side of the second look's square, relative to the longer side of the outline's box. */
  readonly cropMargin: number
  /** What the looks from near read, at the garment and for its points of measure. */
  readonly nearSize: number
  readonly landmarkSize: number
  /**
   * How much the logits of each look weigh, of those that have a head; `mirrored` is the whole picture in the mirror.
   */
  readonly weights: {
    readonly whole: number
    readonly crop: number
    readonly mirrored: number
    readonly near: number
  }
  /** The look at where a neckline is, and how much its logits weigh beside those of the others together, by head. */
  readonly neck: { readonly size: number; readonly weights: Readonly<Record<string, number>> }
  /** Level of what lies outside of the picture. */
  readonly outside: number
}

/** Probabilities of garment over a square region: `side` x `side`, row by row. */
export interface OutlineMap {
  readonly square: Square
  readonly side: number
  readonly probabilities: Float32Array
}

export interface LooksOutput {
  /** Of all looks together. */
  readonly logits: HeadLogits
  /** Of the whole picture, and of the garment's surroundings. */
  readonly outlines: readonly [whole: OutlineMap, crop: OutlineMap]
  /** Points of measure over the garment's surroundings. */
  readonly landmarks: LandmarkMaps & { readonly square: Square }
}

/** The crop is no smaller than this share of the whole picture's square. */
const minCrop = 1 / 6

/**
 * Runs the network on the whole picture, also in the mirror, and again on the square around the outline that it drew.
 * Then come looks from near by networks of their own: for points of measure, at the garment, and at where a neckline
 * is. Points are sought in the mirror, too: what is wrong by chance is seldom wrong in both. Yields to the event loop.
 */
export async function takeLooks(network: Network, settings: LookSettings, picture: Picture): Promise<LooksOutput> {
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
  const withNeck = ([head, own]: [string, Float32Array]) => {
    const weight = settings.neck.weights[head] ?? 0
    return [head, own.map((logit, i) => (1 - weight) * others[head]![i]! + weight * logit)] as const
  }
  return {
    logits: { ...others, ...Object.fromEntries(Object.entries(neck).map(withNeck)) },
    outlines: [
      { square: whole, ...first.outline },
      { square: crop, ...second.outline },
    ],
    landmarks: { square: garment, ...landmarks },
  }
}

async function lookForLandmarks(network: Network, pixels: Uint8Array, size: number): Promise<LandmarkMaps> {
  const seen = await findLandmarks(network, pixels, size)
  return meanOfMirrored(seen, await findLandmarks(network, mirrorPixels(pixels, size), size))
}

type Look = readonly [logits: HeadLogits, weight: number]

/** Weighted means of logits, of the heads that the first look has, over the looks that have them. */
function mix(looks: readonly [first: Look, ...others: Look[]]): HeadLogits {
  const meanOf = (head: string) => {
    const own = looks.flatMap(([logits, weight]) => (head in logits ? [{ logits: logits[head]!, weight }] : []))
    const total = own.reduce((sum, { weight }) => sum + weight, 0)
    return own[0]!.logits.map((_, i) => own.reduce((sum, { logits, weight }) => sum + (logits[i]! * weight) / total, 0))
  }
  return Object.fromEntries(Object.keys(looks[0][0]).map((head) => [head, meanOf(head)]))
}

const boxOf = ({ left, top, side }: Square): Box => ({ left, top, right: left + side, bottom: top + side })

/** The box, in the picture's pixels, around what is drawn over a square of it. */
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

/** The picture centred in a square. */
function wholeSquare({ width, height }: Picture): Square {
  const side = Math.max(width, height)
  return { left: (width - side) / 2, top: (height - side) / 2, side }
}
