import { yieldToEventLoop } from '../image/yield-to-event-loop.ts'
import type { Network } from '../network/network.ts'
import {
  classify,
  findLandmarks,
  type HeadLogits,
  type LandmarkMaps,
  type NetworkOutput,
  runNetwork,
} from '../network/run-network.ts'
import type { Picture } from '../picture.ts'
import { meanOfMirrored, mirrorPixels } from './mirror.ts'
import { outlineBox } from './outline-box.ts'
import { sampleSquare, type Square } from './sample-square.ts'

export interface TwoPassSettings {
  /** Pixels on an edge that the network reads at the first and at the second pass. */
  readonly wholeSize: number
  readonly cropSize: number
  /** Side of the second pass's square, relative to the longer side of the outline's box. */
  readonly cropMargin: number
  /** Weights of each look's logits; they sum to 1. `mirrored` is the whole picture in the mirror. */
  readonly weights: { readonly whole: number; readonly crop: number; readonly mirrored: number }
  /** Level of what lies outside of the picture. */
  readonly outside: number
}

/** Probabilities of garment over a square region: `side` x `side`, row by row. */
export interface OutlineMap {
  readonly square: Square
  readonly side: number
  readonly probabilities: Float32Array
}

export interface TwoPassOutput {
  /** Of all looks together. */
  readonly logits: HeadLogits
  /** Of the whole picture, and of the garment's surroundings. */
  readonly outlines: readonly [whole: OutlineMap, crop: OutlineMap]
  /** Points of measure over the garment's surroundings; `undefined` where the network knows none. */
  readonly landmarks: (LandmarkMaps & { readonly square: Square }) | undefined
}

/** The crop is no smaller than this share of the whole picture's square. */
const minCrop = 1 / 6

/**
 * Runs the network on the whole picture, and again on the square around the outline that it drew. Both are looked at in
 * the mirror, too, the whole picture for the opinion alone and the square for the points of measure: what is wrong by
 * chance is seldom wrong in both. Yields between the runs, and never within one: all pictures of the isolate share the
 * network's memory.
 */
export async function predictTwoPass(
  network: Network,
  settings: TwoPassSettings,
  picture: Picture,
): Promise<TwoPassOutput> {
  const whole = wholeSquare(picture)
  const { wholeSize, cropSize, weights, outside } = settings
  const pixels = sampleSquare(picture, whole, wholeSize, outside)
  const first = runNetwork(network, pixels, wholeSize)
  await yieldToEventLoop()
  const mirrored = classify(network, mirrorPixels(pixels, wholeSize), wholeSize)
  await yieldToEventLoop()
  const crop = cropAround(first.outline, whole, settings.cropMargin)
  const cropPixels = sampleSquare(picture, crop, cropSize, outside)
  const second = runNetwork(network, cropPixels, cropSize, true)
  await yieldToEventLoop()
  const again = second.landmarks && findLandmarks(network, mirrorPixels(cropPixels, cropSize), cropSize)
  const meanOf = (name: string, logits: Float32Array) =>
    logits.map(
      (logit, index) =>
        logit * weights.whole + second.heads[name]![index]! * weights.crop + mirrored[name]![index]! * weights.mirrored,
    )
  return {
    logits: Object.fromEntries(Object.entries(first.heads).map(([name, logits]) => [name, meanOf(name, logits)])),
    outlines: [
      { square: whole, ...first.outline },
      { square: crop, ...second.outline },
    ],
    landmarks: second.landmarks && again && { square: crop, ...meanOfMirrored(second.landmarks, again) },
  }
}

/** The picture centred in a square. */
function wholeSquare({ width, height }: Picture): Square {
  const side = Math.max(width, height)
  return { left: (width - side) / 2, top: (height - side) / 2, side }
}

function cropAround({ side, probabilities }: NetworkOutput['outline'], whole: Square, margin: number): Square {
  const box = outlineBox(probabilities, side)
  if (box === undefined) return whole
  const scale = whole.side / side
  const longest = Math.max(box.right - box.left, box.bottom - box.top) * scale
  const cropSide = Math.max(margin * longest, whole.side * minCrop)
  return {
    left: whole.left + ((box.left + box.right) / 2) * scale - cropSide / 2,
    top: whole.top + ((box.top + box.bottom) / 2) * scale - cropSide / 2,
    side: cropSide,
  }
}
