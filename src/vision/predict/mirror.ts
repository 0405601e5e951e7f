import type { LandmarkMaps } from '../network/run-network.ts'

/** RGB pixels of a square with left and right exchanged. */
export function mirrorPixels(pixels: Uint8Array, size: number): Uint8Array {
  const mirrored = new Uint8Array(pixels.length)
  for (let row = 0; row < size; row++)
    for (let column = 0; column < size; column++) {
      const from = (row * size + column) * 3
      mirrored.set(pixels.subarray(from, from + 3), (row * size + size - 1 - column) * 3)
    }
  return mirrored
}

/**
 * Points of measure of a picture and of the same in the mirror, as those of the picture: the means of the maps' logits
 * and of the probabilities.
 */
export function meanOfMirrored({ points, ...maps }: LandmarkMaps, mirrored: LandmarkMaps): LandmarkMaps {
  const { side } = maps
  const byName = new Map(mirrored.points.map((point) => [point.name, point]))
  return {
    ...maps,
    points: points.map((point) => {
      const { logits, presence } = byName.get(otherSide(point.name)) ?? point
      return {
        name: point.name,
        presence: (point.presence + presence) / 2,
        logits: point.logits.map((logit, cell) => {
          const column = cell % side
          return (logit + logits[cell - column + side - 1 - column]!) / 2
        }),
      }
    }),
  }
}

/** `hemRo` for `hemLo`; a point in the middle has one name. */
const otherSide = (name: string) => name.replace(/[LR]/, (side) => (side === 'L' ? 'R' : 'L'))
