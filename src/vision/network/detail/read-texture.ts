import { type BodyFrame, sampleLuma } from './body-frame.ts'

const CELLS = 40

/**
 * Fineness and direction of the cloth's texture on both sides of the centre and at the hem, from differences between
 * neighbouring pixels of the working picture: knit and ribs differ across, not along.
 */
export function readTexture(frame: BodyFrame): number[] {
  const { half, top, bottom, factor } = frame
  const step = 1 / factor
  const length = bottom - top
  const patches = [-0.52, 0.3].flatMap((side) =>
    [0.42, 0.62].map((down) =>
      differences(sampleLuma(frame, side * half, top + length * down, step, CELLS, CELLS), CELLS, CELLS),
    ),
  )
  const mean = patches[0]!.map((_, index) => patches.reduce((sum, patch) => sum + patch[index]!, 0) / patches.length)
  const bandRows = Math.max(6, Math.round((half * 0.09) / step))
  const bands = [-0.5, 0.15].map((side) =>
    differences(sampleLuma(frame, side * half, bottom - half * 0.14, step, CELLS, bandRows), CELLS, bandRows),
  )
  const band = bands[0]!.map((value, index) => (value + bands[1]![index]!) / 2)
  const [across1 = 0, along1 = 0, across2 = 0, along2 = 0, across3 = 0, along3 = 0] = mean
  const ratio = (a: number, b: number) => Math.log((a + 0.004) / (b + 0.004))
  return [
    Math.log(across1 + along1 + 0.005),
    Math.log(across3 + along3 + 0.005),
    ratio(across1, along1),
    ratio(across2, along2),
    ratio(across3, along3),
    ratio(across2 + along2, across1 + along1),
    ratio(band[0]!, band[1]!),
    ratio(band[2]!, band[3]!),
    ratio(band[2]!, across2),
    1 / (half * 2 * factor * 0.01),
  ]
}

/** Mean differences across and along at a distance of 1, 2 and 3 cells, as shares of the brightness. */
function differences(values: Float32Array, columns: number, rows: number): number[] {
  let level = 0
  for (const value of values) level += value
  level = Math.max(12, level / values.length)
  return [1, 2, 3].flatMap((lag) => {
    let across = 0
    let along = 0
    let count = 0
    for (let y = 0; y + lag < rows; y++) {
      for (let x = 0; x + lag < columns; x++) {
        const own = values[y * columns + x]!
        // Large steps are patterns and seams, not texture.
        across += Math.min(16, Math.abs(own - values[y * columns + x + lag]!))
        along += Math.min(16, Math.abs(own - values[(y + lag) * columns + x]!))
        count++
      }
    }
    return [across / Math.max(1, count) / level, along / Math.max(1, count) / level]
  })
}
