import type { Picture } from '../picture.ts'

/** Radius in pixels of the small picture of the windows in which the map is a linear function of the colour. */
const radius = 4

/** Variance of colours, in units of the full range squared, below which a window counts as of one colour. */
const flatVariance = 1e-4

/**
 * Moves the borders of a map of probabilities to the edges of the picture by a guided filter (He, Sun and Tang 2013).
 * The linear functions are fitted in a small copy of the picture and enlarged (He and Sun 2015).
 * @param small the picture's copy, `factor` times smaller
 * @param probabilities of the small copy's pixels, 0 to 1
 * @returns each pixel's probability in the picture
 */
export function guidedFilter(
  picture: Picture,
  small: Picture,
  factor: number,
  probabilities: Float32Array,
): Float32Array {
  const { width, height, data } = picture
  const maps = fitWindows(small, probabilities)
  const out = new Float32Array(width * height)
  const place = (index: number, length: number) => Math.max(0, Math.min(length - 1, (index + 0.5) / factor - 0.5))
  const columns = Float32Array.from({ length: width }, (_, x) => place(x, small.width))
  // The coefficients of one row: red, green, blue and offset of each column. The last column is repeated.
  const row = new Float32Array((small.width + 1) * maps.length)
  for (let y = 0, index = 0; y < height; y++) {
    const v = place(y, small.height)
    const top = Math.floor(v) * small.width
    const below = Math.min(small.height - 1, Math.floor(v) + 1) * small.width
    const down = v - Math.floor(v)
    maps.forEach((map, coefficient) => {
      for (let x = 0, at = coefficient; x <= small.width; x++, at += maps.length) {
        const column = x < small.width ? x : x - 1
        row[at] = map[top + column]! + (map[below + column]! - map[top + column]!) * down
      }
    })
    for (let x = 0; x < width; x++, index++) {
      const left = Math.floor(columns[x]!)
      const across = columns[x]! - left
      const at = left * 4
      const pixel = index * 4
      const red = row[at]! + (row[at + 4]! - row[at]!) * across
      const green = row[at + 1]! + (row[at + 5]! - row[at + 1]!) * across
      const blue = row[at + 2]! + (row[at + 6]! - row[at + 2]!) * across
      const offset = row[at + 3]! + (row[at + 7]! - row[at + 3]!) * across
      const colour = red * data[pixel]! + green * data[pixel + 1]! + blue * data[pixel + 2]!
      out[index] = Math.min(1, Math.max(0, colour / 255 + offset))
    }
  }
  return out
}

/**
 * Fits `red * r + green * g + blue * b + offset` to the probabilities in the window around each pixel. Colours are 0 to
 * 1. Returns the mean of each coefficient over the windows around each pixel.
 */
function fitWindows({ width, height, data }: Picture, probabilities: Float32Array) {
  const mean = (values: Float32Array) => meanOfWindows(values, width, height)
  const withMean = (plane: Float32Array) => ({ plane, mean: mean(plane) })
  const channel = (offset: number) => {
    const plane = new Float32Array(probabilities.length)
    for (let at = 0; at < plane.length; at++) plane[at] = data[at * 4 + offset]! / 255
    return withMean(plane)
  }
  const [r, g, b, p] = [channel(0), channel(1), channel(2), withMean(probabilities)]
  const covariance = (one: typeof p, other: typeof p) => {
    const product = new Float32Array(probabilities.length)
    for (let at = 0; at < product.length; at++) product[at] = one.plane[at]! * other.plane[at]!
    const result = mean(product)
    for (let at = 0; at < result.length; at++) result[at]! -= one.mean[at]! * other.mean[at]!
    return result
  }
  const [rr, rg, rb] = [covariance(r, r), covariance(r, g), covariance(r, b)]
  const [gg, gb, bb] = [covariance(g, g), covariance(g, b), covariance(b, b)]
  const [rp, gp, bp] = [covariance(r, p), covariance(g, p), covariance(b, p)]
  const offset = p.mean.slice()
  const red = new Float32Array(offset.length)
  const green = new Float32Array(offset.length)
  const blue = new Float32Array(offset.length)
  for (let at = 0; at < offset.length; at++) {
    const a11 = rr[at]! + flatVariance
    const a12 = rg[at]!
    const a13 = rb[at]!
    const a22 = gg[at]! + flatVariance
    const a23 = gb[at]!
    const a33 = bb[at]! + flatVariance
    // Cramer's rule for a symmetric matrix.
    const c11 = a22 * a33 - a23 * a23
    const c12 = a13 * a23 - a12 * a33
    const c13 = a12 * a23 - a13 * a22
    const c22 = a11 * a33 - a13 * a13
    const c23 = a12 * a13 - a11 * a23
    const c33 = a11 * a22 - a12 * a12
    const determinant = a11 * c11 + a12 * c12 + a13 * c13
    red[at] = (rp[at]! * c11 + gp[at]! * c12 + bp[at]! * c13) / determinant
    green[at] = (rp[at]! * c12 + gp[at]! * c22 + bp[at]! * c23) / determinant
    blue[at] = (rp[at]! * c13 + gp[at]! * c23 + bp[at]! * c33) / determinant
    offset[at]! -= red[at]! * r.mean[at]! + green[at]! * g.mean[at]! + blue[at]! * b.mean[at]!
  }
  return [mean(red), mean(green), mean(blue), mean(offset)]
}

/** Returns the mean of the square window around each pixel. At the border, windows are smaller. */
function meanOfWindows(values: Float32Array, width: number, height: number): Float32Array {
  const rows = new Float32Array(values.length)
  for (let y = 0; y < height; y++) {
    const start = y * width
    let sum = 0
    for (let x = 0; x < Math.min(radius, width); x++) sum += values[start + x]!
    for (let x = 0; x < width; x++) {
      if (x + radius < width) sum += values[start + x + radius]!
      if (x > radius) sum -= values[start + x - radius - 1]!
      rows[start + x] = sum / (Math.min(width - 1, x + radius) - Math.max(0, x - radius) + 1)
    }
  }
  const sums = new Float64Array(width)
  const add = (y: number, sign: number) => {
    for (let x = 0; x < width; x++) sums[x]! += sign * rows[y * width + x]!
  }
  const out = new Float32Array(values.length)
  for (let y = 0; y < Math.min(radius, height); y++) add(y, 1)
  for (let y = 0; y < height; y++) {
    if (y + radius < height) add(y + radius, 1)
    if (y > radius) add(y - radius - 1, -1)
    const count = Math.min(height - 1, y + radius) - Math.max(0, y - radius) + 1
    for (let x = 0; x < width; x++) out[y * width + x] = sums[x]! / count
  }
  return out
}
