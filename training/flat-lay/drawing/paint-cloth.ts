import type { FlatLaySpec } from '../flat-lay.ts'
import type { Part, Rgb } from '../garments/garment.ts'
import { patternOf, ribShade, shadeOf } from './cloth.ts'
import type { Coverage } from './fill-polygon.ts'
import { type Canvas, eachPixel } from './paint-shapes.ts'
import type { Placement } from './place-garment.ts'

/** Creates a function that paints parts of the garment with colours, pattern and texture. */
export function createClothPainter(spec: FlatLaySpec, { rgb: canvas }: Canvas, { toCm }: Placement) {
  const patternAt = patternOf(spec)
  const shadeAt = shadeOf(spec)
  const plain = (rgb: Rgb, second: Rgb, share: number, channel: number) =>
    rgb[channel]! * (1 - share) + second[channel]! * share
  return (part: Part, cover: Coverage) =>
    eachPixel(cover, spec.width, (index, value) => {
      const [x, y] = toCm((index % spec.width) + 0.5, Math.floor(index / spec.width) + 0.5)
      const base = part.paint === 'inside' ? 0.72 : part.paint === 'rib' ? ribShade(x) : shadeAt(x, y)
      const shade = base * (part.tone ?? 1)
      const share = part.paint === 'cloth' ? patternAt(x, y) : 0
      for (let channel = 0; channel < 3; channel++) {
        const at = index * 3 + channel
        canvas[at] = canvas[at]! * (1 - value) + plain(spec.rgb, spec.secondRgb, share, channel) * shade * value
      }
    })
}
