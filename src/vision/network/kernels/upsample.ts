/** Writes every pixel of `input` 2 x 2 times. */
export function upsample2x(input: usize, output: usize, height: i32, width: i32, channels: i32): void {
  const bytes = (<usize>channels) << 1
  const rowBytes = (<usize>width * bytes) << 1
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      for (let c: usize = 0; c < bytes; c += 16) {
        const value = v128.load(input)
        const target = output + c
        v128.store(target, value)
        v128.store(target + bytes, value)
        v128.store(target + rowBytes, value)
        v128.store(target + rowBytes + bytes, value)
        input += 16
      }
      output += 2 * bytes
    }
    output += rowBytes
  }
}
