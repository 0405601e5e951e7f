import type { Box } from '../picture.ts'
import { labelRegions } from '../segment/label-regions.ts'

/** A part smaller than this share of the largest one is left out. */
const LEAST_PART = 0.1

/** The box, in pixels of the map, around all large parts of a probability map (`side` x `side`); `undefined` where nothing is above one half. */
export function outlineBox(probabilities: Float32Array, side: number): Box | undefined {
  const data = Uint8Array.from(probabilities, (probability) => (probability > 0.5 ? 1 : 0))
  const [, ...parts] = labelRegions(data, 1, side, side).regions
  const largest = Math.max(0, ...parts.map(({ area }) => area))
  if (largest === 0) return undefined
  const kept = parts.filter(({ area }) => area >= largest * LEAST_PART)
  return {
    left: Math.min(...kept.map(({ left }) => left)),
    top: Math.min(...kept.map(({ top }) => top)),
    right: Math.max(...kept.map(({ right }) => right)) + 1,
    bottom: Math.max(...kept.map(({ bottom }) => bottom)) + 1,
  }
}
