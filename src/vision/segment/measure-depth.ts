import { BACKGROUND } from './region-labels.ts'

/** Chamfer distance (3 to an edge neighbour, 4 to a corner one) of every pixel to the ground. */
export function distanceTo(labels: Uint8Array, width: number, height: number): Uint16Array {
  const distance = new Uint16Array(labels.length)
  for (let y = 0, index = 0; y < height; y++) {
    for (let x = 0; x < width; x++, index++) {
      if (labels[index] === BACKGROUND) continue
      let least = 60000
      if (x > 0) least = Math.min(least, distance[index - 1]! + 3)
      if (y > 0) {
        least = Math.min(least, distance[index - width]! + 3)
        if (x > 0) least = Math.min(least, distance[index - width - 1]! + 4)
        if (x < width - 1) least = Math.min(least, distance[index - width + 1]! + 4)
      }
      distance[index] = least
    }
  }
  for (let y = height - 1, index = labels.length - 1; y >= 0; y--) {
    for (let x = width - 1; x >= 0; x--, index--) {
      let least = distance[index]!
      if (x < width - 1) least = Math.min(least, distance[index + 1]! + 3)
      if (y < height - 1) {
        least = Math.min(least, distance[index + width]! + 3)
        if (x < width - 1) least = Math.min(least, distance[index + width + 1]! + 4)
        if (x > 0) least = Math.min(least, distance[index + width - 1]! + 4)
      }
      distance[index] = least
    }
  }
  return distance
}
