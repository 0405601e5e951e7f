/**
 * Lays a matrix of `columns` rows of `inner` weights out for `multiply`: groups of four columns, in each for every
 * inner place the four weights side by side. `columns` is a multiple of 4, `inner` even.
 */
export function pack(weights: Float32Array, inner: number, columns: number): Float32Array {
  const packed = new Float32Array(inner * columns)
  for (let column = 0; column < columns; column++) {
    const group = (column >> 2) * inner * 4 + (column & 3)
    for (let k = 0; k < inner; k++) packed[group + k * 4] = weights[column * inner + k] ?? 0
  }
  return packed
}

/**
 * out[rows][columns] = a[rows][inner] x packed weights, each at its offset. `rows` and `inner` are even, `columns` a
 * multiple of 4. Two rows by four columns at a time, so that eight sums stay in registers: about twice as fast here as
 * one sum after the other. The arrays are in bounds by the callers' construction, hence the assertions.
 */
export function multiply(
  a: Float32Array,
  aAt: number,
  packed: Float32Array,
  packedAt: number,
  out: Float32Array,
  outAt: number,
  rows: number,
  inner: number,
  columns: number,
): void {
  for (let column = 0; column < columns; column += 4) {
    for (let row = 0; row < rows; row += 2) {
      let i = aAt + row * inner
      let j = i + inner
      let w = packedAt + column * inner
      let p0 = 0
      let p1 = 0
      let p2 = 0
      let p3 = 0
      let q0 = 0
      let q1 = 0
      let q2 = 0
      let q3 = 0
      for (const end = i + inner; i < end; i += 2, j += 2, w += 8) {
        let x = a[i]!
        let y = a[j]!
        let w0 = packed[w]!
        let w1 = packed[w + 1]!
        let w2 = packed[w + 2]!
        let w3 = packed[w + 3]!
        p0 += x * w0
        p1 += x * w1
        p2 += x * w2
        p3 += x * w3
        q0 += y * w0
        q1 += y * w1
        q2 += y * w2
        q3 += y * w3
        x = a[i + 1]!
        y = a[j + 1]!
        w0 = packed[w + 4]!
        w1 = packed[w + 5]!
        w2 = packed[w + 6]!
        w3 = packed[w + 7]!
        p0 += x * w0
        p1 += x * w1
        p2 += x * w2
        p3 += x * w3
        q0 += y * w0
        q1 += y * w1
        q2 += y * w2
        q3 += y * w3
      }
      let o = outAt + row * columns + column
      out[o] = p0
      out[o + 1] = p1
      out[o + 2] = p2
      out[o + 3] = p3
      o += columns
      out[o] = q0
      out[o + 1] = q1
      out[o + 2] = q2
      out[o + 3] = q3
    }
  }
}
