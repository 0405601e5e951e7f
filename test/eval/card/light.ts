import type { Point } from '../../../src/vision/picture.ts'
import type { Random } from '../../../training/flat-lay/random.ts'

export interface Light {
  /** Level of paper and of ink, 0 to 255. */
  readonly paper: number
  readonly ink: number
  /** A shadow over one side of a line: share of light left, and how wide its edge is in pixels. */
  readonly shadow: { readonly through: Point; readonly turn: number; readonly left: number; readonly edge: number }
  /** Blur of lens and focus in pixels; noise of the sensor in levels. */
  readonly blur: number
  readonly noise: number
}

/** The share of light that is left at a place of the picture. */
export function shadeOf({ shadow }: Light): (x: number, y: number) => number {
  const turn = (shadow.turn * Math.PI) / 180
  const [across, down] = [Math.cos(turn), Math.sin(turn)]
  return (x, y) => {
    const away = (x - shadow.through[0]) * across + (y - shadow.through[1]) * down
    return 1 - (1 - shadow.left) / (1 + Math.exp((-4 * away) / shadow.edge))
  }
}

/** By a kernel of three deviations, along rows and then along columns, in place. */
export function blurPlane(plane: Float32Array, width: number, height: number, deviation: number): void {
  if (deviation < 0.2) return
  const reach = Math.ceil(3 * deviation)
  const kernel = Array.from({ length: 2 * reach + 1 }, (_, index) =>
    Math.exp(-((index - reach) ** 2) / (2 * deviation ** 2)),
  )
  const total = kernel.reduce((sum, value) => sum + value, 0)
  const pass = (lines: number, length: number, lineStep: number, step: number) => {
    const line = new Float32Array(length)
    for (let index = 0; index < lines; index++) {
      const start = index * lineStep
      for (let place = 0; place < length; place++) line[place] = plane[start + place * step]!
      for (let place = 0; place < length; place++) {
        let sum = 0
        for (let tap = -reach; tap <= reach; tap++)
          sum += kernel[tap + reach]! * line[Math.max(0, Math.min(length - 1, place + tap))]!
        plane[start + place * step] = sum / total
      }
    }
  }
  pass(height, width, width, 1)
  pass(width, height, 1, width)
}

/** Normal, with a deviation of 1. */
export function gauss(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next())
}
