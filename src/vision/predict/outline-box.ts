import type { Box } from '../picture.ts'
import { findParts } from '../segment/find-parts.ts'

/** A part smaller than this share of the largest one is left out. */
const minPart = 0.1

/**
 * The box, in pixels of the map, around all large parts of a probability map (`side` x `side`); `undefined` where
 * nothing is above one half.
 */
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
