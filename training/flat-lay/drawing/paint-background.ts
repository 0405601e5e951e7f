import { createRandom } from '../random.ts'
import type { FlatLaySpec } from '../flat-lay.ts'
import { blur } from './blur.ts'
import type { Vertex } from './fill-polygon.ts'
import { type Canvas, paintLine } from './paint-shapes.ts'
import type { Placement } from './place-garment.ts'

/** Paints the background with a light gradient and the garment's shadow. */
export function paintBackground(spec: FlatLaySpec, coverage: Float32Array, pixelsPerCm: number): Canvas {
  const { width, height } = spec
  const random = createRandom(spec.seed + 17)
  const shadow = new Float32Array(width * height)
  const dx = Math.round(random.between(-1.2, 1.2) * pixelsPerCm)
  const dy = Math.round(random.between(0.2, 1.6) * pixelsPerCm)
  for (let y = Math.max(0, dy); y < Math.min(height, height + dy); y++) {
    for (let x = Math.max(0, dx); x < Math.min(width, width + dx); x++)
      shadow[y * width + x] = coverage[(y - dy) * width + x - dx]!
  }
  blur(shadow, width, height, Math.max(1, Math.round(random.between(0.35, 1.1) * pixelsPerCm)))
  const direction = random.between(0, 6.28)
  const rgb = new Float32Array(width * height * 3)
  for (let y = 0, index = 0; y < height; y++) {
    for (let x = 0; x < width; x++, index++) {
      const across =
        ((x / width - 0.5) * Math.cos(direction) + (y / height - 0.5) * Math.sin(direction)) * spec.gradient
      const light = (1 + across - spec.gradient / 2) * (1 - spec.shadow * shadow[index]!)
      for (let channel = 0; channel < 3; channel++) rgb[index * 3 + channel] = spec.backgroundRgb[channel]! * light
    }
  }
  return { width, height, rgb }
}

/** Paints the hook of a hanger. */
export function paintHook(spec: FlatLaySpec, canvas: Canvas, { toPixel, pixelsPerCm }: Placement) {
  const [x, y] = spec.garment.hookAt ?? [0, 0]
  const line = Array.from({ length: 14 }, (_, step) => {
    const turn = Math.PI * (0.5 - (step / 13) * 1.4)
    return [x + 2.4 * Math.cos(turn) - 0.2, y - 6 - 2.4 * Math.sin(turn)] as const
  }).reverse()
  const shape: Vertex[] = [[x, y + 3], [x, y - 3.6], ...line.slice(0, 11).map(([a, b]) => [a, b] as const)]
  paintLine(canvas, shape.map(toPixel), 0.45 * pixelsPerCm, () => 128)
}
