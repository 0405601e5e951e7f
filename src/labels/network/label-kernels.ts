/**
 * The text networks' kernels in AssemblyScript, compiled to `kernels.wasm` by `npm run kernels`.
 *
 * A tensor is float32 in height x width x channels order. Input channels are a multiple of 4, output channels a
 * multiple of 8. Fused multiply-adds may round differently between machines, in the last bits only.
 * Pointers are byte addresses; nothing is allocated or checked here.
 */

function madd(a: v128, b: v128, c: v128): v128 {
  return f32x4.relaxed_madd(a, b, c)
}

/** The error function, as a quotient of two polynomials, exact to about 1e-6. */
function erf(value: v128): v128 {
  const x = f32x4.max(f32x4.splat(-4), f32x4.min(f32x4.splat(4), value))
  const square = f32x4.mul(x, x)
  let above = f32x4.splat(-2.72614225801306e-10)
  above = madd(above, square, f32x4.splat(2.77068142495902e-8))
  above = madd(above, square, f32x4.splat(-2.10102402082508e-6))
  above = madd(above, square, f32x4.splat(-5.69250639462346e-5))
  above = madd(above, square, f32x4.splat(-7.34990630326855e-4))
  above = madd(above, square, f32x4.splat(-2.95459980854025e-3))
  above = madd(above, square, f32x4.splat(-1.60960333262415e-2))
  let below = f32x4.splat(-1.45660718464996e-5)
  below = madd(below, square, f32x4.splat(-2.13374055278905e-4))
  below = madd(below, square, f32x4.splat(-1.68282697438203e-3))
  below = madd(below, square, f32x4.splat(-7.37332916720468e-3))
  below = madd(below, square, f32x4.splat(-1.42647390514189e-2))
  return f32x4.div(f32x4.mul(x, above), below)
}

const relu: i32 = 1
const gelu: i32 = 2
const hardSwish: i32 = 3

function activate(value: v128, activation: i32): v128 {
  if (activation == relu) return f32x4.max(value, f32x4.splat(0))
  if (activation == gelu) {
    const half = f32x4.mul(value, f32x4.splat(0.5))
    return madd(half, erf(f32x4.mul(value, f32x4.splat(0.7071067811865476))), half)
  }
  if (activation == hardSwish) {
    const gate = madd(value, f32x4.splat(0.16666667), f32x4.splat(0.5))
    return f32x4.mul(value, f32x4.max(f32x4.splat(0), f32x4.min(f32x4.splat(1), gate)))
  }
  return value
}

/** Stores 8 outputs of a pixel. `other` is the address of values to add, or 0. */
function finish(target: usize, other: usize, a: v128, b: v128, activation: i32): void {
  let first = activate(a, activation)
  let second = activate(b, activation)
  if (other != 0) {
    first = f32x4.add(first, v128.load(other))
    second = f32x4.add(second, v128.load(other, 16))
  }
  v128.store(target, first)
  v128.store(target, second, 16)
}

/**
 * 1x1 convolution: `output[p][o] = activate(biases[o] + sum(input[p][i] * weights[o][i])) + others[p][o]`. A pixel of
 * `output` has `outStride` bytes. `others` is 0, or an address of pixels as long as those of `output`. `weights` are
 * packed `[o / 8][i][o % 8]`. 4 pixels x 8 outputs are summed at a time, in registers.
 */
export function pointwise(
  input: usize,
  output: usize,
  others: usize,
  pixels: i32,
  inChannels: usize,
  outChannels: usize,
  outStride: usize,
  weights: usize,
  biases: usize,
  activation: i32,
): void {
  const inStride = inChannels << 2
  for (let o: usize = 0; o < outChannels; o += 8) {
    const biasA = v128.load(biases)
    const biasB = v128.load(biases, 16)
    let source = input
    let target = output + (o << 2)
    let other = others == 0 ? 0 : others + (o << 2)
    const otherStride: usize = others == 0 ? 0 : outStride
    let left = pixels
    for (; left >= 4; left -= 4) {
      let a0 = biasA,
        a1 = biasB,
        b0 = biasA,
        b1 = biasB,
        c0 = biasA,
        c1 = biasB,
        d0 = biasA,
        d1 = biasB
      let weight = weights
      let first = source
      const second = inStride
      const third = inStride << 1
      const fourth = third + inStride
      for (const stop = first + inStride; first < stop; first += 4) {
        const w0 = v128.load(weight)
        const w1 = v128.load(weight, 16)
        let x = v128.load32_splat(first)
        a0 = madd(x, w0, a0)
        a1 = madd(x, w1, a1)
        x = v128.load32_splat(first + second)
        b0 = madd(x, w0, b0)
        b1 = madd(x, w1, b1)
        x = v128.load32_splat(first + third)
        c0 = madd(x, w0, c0)
        c1 = madd(x, w1, c1)
        x = v128.load32_splat(first + fourth)
        d0 = madd(x, w0, d0)
        d1 = madd(x, w1, d1)
        weight += 32
      }
      finish(target, other, a0, a1, activation)
      finish(target + outStride, other + otherStride, b0, b1, activation)
      finish(target + 2 * outStride, other + 2 * otherStride, c0, c1, activation)
      finish(target + 3 * outStride, other + 3 * otherStride, d0, d1, activation)
      source += inStride << 2
      target += outStride << 2
      other += otherStride << 2
    }
    for (; left > 0; left--) {
      let a0 = biasA,
        a1 = biasB
      let weight = weights
      for (let i: usize = 0; i < inStride; i += 4) {
        const x = v128.load32_splat(source + i)
        a0 = madd(x, v128.load(weight), a0)
        a1 = madd(x, v128.load(weight, 16), a1)
        weight += 32
      }
      finish(target, other, a0, a1, activation)
      source += inStride
      target += outStride
      other += otherStride
    }
    weights += inStride << 3
    biases += 32
  }
}

/** Depthwise convolution of odd `rows` x `columns`, padded with zeros. `weights` are packed `[tap][channel]`. */
export function depthwise(
  input: usize,
  output: usize,
  height: i32,
  width: i32,
  channels: usize,
  rows: i32,
  columns: i32,
  rowStride: i32,
  columnStride: i32,
  weights: usize,
  biases: usize,
  activation: i32,
): void {
  const pixelBytes = channels << 2
  const reachY = rows >> 1
  const reachX = columns >> 1
  for (let y = 0; y < height; y += rowStride) {
    const firstRow = max(0, reachY - y)
    const endRow = min(rows, height + reachY - y)
    for (let x = 0; x < width; x += columnStride) {
      const firstColumn = max(0, reachX - x)
      const endColumn = min(columns, width + reachX - x)
      for (let c: usize = 0; c < pixelBytes; c += 16) {
        let sum = v128.load(biases + c)
        for (let row = firstRow; row < endRow; row++) {
          let source = input + <usize>((y + row - reachY) * width + x + firstColumn - reachX) * pixelBytes + c
          let weight = weights + <usize>(row * columns + firstColumn) * pixelBytes + c
          for (let column = firstColumn; column < endColumn; column++) {
            sum = madd(v128.load(source), v128.load(weight), sum)
            source += pixelBytes
            weight += pixelBytes
          }
        }
        v128.store(output, activate(sum, activation))
        output += 16
      }
    }
  }
}

/**
 * Writes a row of patches, `[x][row][column][channel]` of `side` x `side` pixels, with zeros outside the picture. The
 * first patch begins in row `top` and column `left` of `input`.
 */
export function gather(
  input: usize,
  output: usize,
  height: i32,
  width: i32,
  channels: usize,
  side: i32,
  stride: i32,
  top: i32,
  left: i32,
  patches: i32,
): void {
  const pixelBytes = channels << 2
  for (let patch = 0; patch < patches; patch++) {
    for (let y = top; y < top + side; y++) {
      // As an unsigned number, a negative position is larger than any valid one.
      const columns = <u32>y < <u32>height ? width : 0
      for (let x = left; x < left + side; x++) {
        // A loop is faster than memory.copy for so few bytes.
        if (<u32>x < <u32>columns) {
          const source = input + <usize>(y * width + x) * pixelBytes
          for (let c: usize = 0; c < pixelBytes; c += 16) v128.store(output + c, v128.load(source + c))
        } else for (let c: usize = 0; c < pixelBytes; c += 16) v128.store(output + c, f32x4.splat(0))
        output += pixelBytes
      }
    }
    left += stride
  }
}

/** Writes the maximum of 2 x 2 pixels, the first in row `y`, for each pixel of a row. No input may be negative. */
export function maxPool(
  input: usize,
  output: usize,
  y: i32,
  height: i32,
  width: i32,
  channels: usize,
  outStride: usize,
): void {
  const pixelBytes = channels << 2
  const below = y + 1 < height ? <usize>width * pixelBytes : 0
  let source = input + <usize>(y * width) * pixelBytes
  for (let x = 0; x < width; x++) {
    const right = x + 1 < width ? pixelBytes : 0
    for (let c: usize = 0; c < pixelBytes; c += 16) {
      const upper = f32x4.max(v128.load(source + c), v128.load(source + right + c))
      const lower = f32x4.max(v128.load(source + below + c), v128.load(source + below + right + c))
      v128.store(output + c, f32x4.max(upper, lower))
    }
    source += pixelBytes
    output += outStride
  }
}

export function sumChannels(input: usize, output: usize, pixels: i32, channels: usize): void {
  const pixelBytes = channels << 2
  for (let c: usize = 0; c < pixelBytes; c += 16) {
    let sum = f32x4.splat(0)
    let source = input + c
    for (let left = pixels; left > 0; left--) {
      sum = f32x4.add(sum, v128.load(source))
      source += pixelBytes
    }
    v128.store(output + c, sum)
  }
}

export function scaleChannels(data: usize, gates: usize, pixels: i32, channels: usize): void {
  const pixelBytes = channels << 2
  for (let left = pixels; left > 0; left--) {
    for (let c: usize = 0; c < pixelBytes; c += 16)
      v128.store(data + c, f32x4.mul(v128.load(data + c), v128.load(gates + c)))
    data += pixelBytes
  }
}

/**
 * Enlarges `input` by a whole `factor` without interpolation, and takes `height` rows of the result from row `top` on.
 * Adds them to `output`, of which a pixel has `outStride` bytes, or replaces `output` if `isNew`.
 */
export function enlarge(
  input: usize,
  output: usize,
  top: i32,
  height: i32,
  width: i32,
  channels: usize,
  factor: i32,
  outStride: usize,
  isNew: bool,
): void {
  const pixelBytes = channels << 2
  const inWidth = width / factor
  for (let y = top; y < top + height; y++) {
    for (let x = 0; x < width; x++) {
      const source = input + <usize>((y / factor) * inWidth + x / factor) * pixelBytes
      for (let c: usize = 0; c < pixelBytes; c += 16) {
        const value = v128.load(source + c)
        v128.store(output + c, isNew ? value : f32x4.add(value, v128.load(output + c)))
      }
      output += outStride
    }
  }
}
