import type { Picture } from '../picture.ts'
import { unknown } from './mask.ts'

/** Colour step to the neighbours, 0 to 255, of pixels whose label is unknown; 0 elsewhere. */
export function colourSteps({ width, height, data }: Picture, labels: Uint8Array): Uint8Array {
  const steps = new Uint8Array(width * height)
  const line = width * 4
  for (let y = 0, index = 0; y < height; y++) {
    const up = y > 0 ? -line : 0
    const down = y < height - 1 ? line : 0
    for (let x = 0; x < width; x++, index++) {
      if (labels[index] !== unknown) continue
      const at = index * 4
      const left = x > 0 ? at - 4 : at
      const right = x < width - 1 ? at + 4 : at
      let steepest = 0
      for (let channel = 0; channel < 3; channel++) {
        const across =
          Math.abs(data[right + channel]! - data[left + channel]!) +
          Math.abs(data[at + down + channel]! - data[at + up + channel]!)
        if (across > steepest) steepest = across
      }
      steps[index] = steepest > 255 ? 255 : steepest
    }
  }
  return steps
}
