import { createRandom } from '../random.ts'
import type { FlatLaySpec } from '../flat-lay.ts'
import type { Vertex } from './fill-polygon.ts'

/** Maps between centimetres in the garment's frame and pixels of the picture. */
export interface Placement {
  readonly pixelsPerCm: number
  readonly toPixel: (point: Vertex) => Vertex
  readonly toCm: (x: number, y: number) => Vertex
}

/** Fits the rotated garment into the picture with a random margin. */
export function placeGarment(spec: FlatLaySpec): Placement {
  const random = createRandom(spec.seed + 31)
  const angle = (spec.rotationDegrees * Math.PI) / 180
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const turned = spec.garment.parts.flatMap(({ outline }) =>
    outline.map(([x, y]) => [x * cos - y * sin, x * sin + y * cos] as const),
  )
  if (spec.hook)
    turned.push([(spec.garment.hookAt?.[1] ?? 0) * -sin + 9 * sin, ((spec.garment.hookAt?.[1] ?? 0) - 9) * cos])
  const xs = turned.map(([x]) => x)
  const ys = turned.map(([, y]) => y)
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]
  const room = random.between(0.76, 0.92)
  const pixelsPerCm = Math.min((spec.width * room) / (right - left), (spec.height * room) / (bottom - top))
  const slack = (length: number, used: number) => (length - used * pixelsPerCm) / 2
  const originX = slack(spec.width, right - left) * random.between(0.7, 1.3) - left * pixelsPerCm
  const originY = slack(spec.height, bottom - top) * random.between(0.7, 1.3) - top * pixelsPerCm
  return {
    pixelsPerCm,
    toPixel: ([x, y]: Vertex): Vertex => [
      originX + (x * cos - y * sin) * pixelsPerCm,
      originY + (x * sin + y * cos) * pixelsPerCm,
    ],
    toCm: (x: number, y: number): Vertex => {
      const dx = (x - originX) / pixelsPerCm
      const dy = (y - originY) / pixelsPerCm
      return [dx * cos + dy * sin, dy * cos - dx * sin]
    },
  }
}
