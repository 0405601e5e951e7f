/**
 * ImageMagick's sharpening with radius 1 and sigma 1: a 3 x 3 kernel of negated Gaussian weights round a centre of twice
 * their sum, scaled to a sum of 1. Beyond the edge the edge's value goes on; the result is clamped to 0 and 1.
 */
export function sharpen(values: Float32Array, width: number, height: number): Float32Array {
  const beside = Math.exp(-0.5)
  const diagonal = Math.exp(-1)
  const around = 4 * (beside + diagonal)
  const centre = 2 * (1 + around)
  const sum = centre - around
  const at = (x: number, y: number) =>
    values[Math.min(height - 1, Math.max(0, y)) * width + Math.min(width - 1, Math.max(0, x))]!
  return values.map((value, i) => {
    const x = i % width
    const y = Math.floor(i / width)
    const sides = at(x - 1, y) + at(x + 1, y) + at(x, y - 1) + at(x, y + 1)
    const corners = at(x - 1, y - 1) + at(x + 1, y - 1) + at(x - 1, y + 1) + at(x + 1, y + 1)
    return Math.min(1, Math.max(0, (centre * value - beside * sides - diagonal * corners) / sum))
  })
}
