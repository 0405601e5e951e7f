import type { LandmarkMaps } from '../network/run-network.ts'

/** RGB pixels of a square with left and right exchanged. */
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
      const mean = new Float32Array(logits.length)
      for (let row = 0, cell = 0; cell < mean.length; row += side)
        for (let opposite = row + side - 1; opposite >= row; opposite--, cell++)
          mean[cell] = (point.logits[cell]! + logits[opposite]!) / 2
      return { name: point.name, presence: (point.presence + presence) / 2, logits: mean }
    }),
  }
}

/** `hemRo` for `hemLo`; a point in the middle has one name. */
const otherSide = (name: string) => name.replace(/[LR]/, (side) => (side === 'L' ? 'R' : 'L'))
