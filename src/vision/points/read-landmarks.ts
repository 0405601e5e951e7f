import type { Point } from '../picture.ts'
import type { LooksOutput } from '../predict/take-looks.ts'

/** A point of measure that the network has seen. */
interface SeenPoint {
  /** Of the network: `armpitL`. Left and right are those of the picture. */
  readonly name: string
  /** In pixels of the picture that was looked at. */
  readonly place: Point
  /** Probability that the garment shows the point, times the share of its map that agrees on this place; 0 to 1. */
  readonly reliability: number
}

/**
 * For each map the mean place around its highest cell, weighted by the softmax of the logits (soft-argmax over a
 * window, arXiv 1711.08229).
 */
export function readLandmarks(landmarks: LooksOutput['landmarks']): SeenPoint[] {
  const { side, reach, square, points } = landmarks
  return points.map(({ name, logits, presence }) => {
    let best = 0
    for (let cell = 1; cell < logits.length; cell++) if (logits[cell]! > logits[best]!) best = cell
    const highest = logits[best]!
    let total = 0
    for (const logit of logits) total += Math.exp(logit - highest)
    const [bestX, bestY] = [best % side, Math.floor(best / side)]
    let [mass, x, y] = [0, 0, 0]
    for (let row = Math.max(0, bestY - reach); row <= Math.min(side - 1, bestY + reach); row++) {
      for (let column = Math.max(0, bestX - reach); column <= Math.min(side - 1, bestX + reach); column++) {
        const share = Math.exp(logits[row * side + column]! - highest) / total
        mass += share
        x += share * column
        y += share * row
      }
    }
    const toPicture = (edge: number, cell: number) => edge + ((cell + 0.5) / side) * square.side - 0.5
    return {
      name,
      place: [toPicture(square.left, x / mass), toPicture(square.top, y / mass)],
      reliability: presence * mass,
    }
  })
}
