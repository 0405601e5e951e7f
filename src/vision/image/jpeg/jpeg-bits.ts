export type BitWriter = ReturnType<typeof createBitWriter>

/**
 * A growing byte buffer that takes bits, most significant first, and inserts a zero byte after each FF (T.81, F.1.2.3).
 */
export function createBitWriter(capacity: number) {
  let buffer = new Uint8Array(capacity)
  let size = 0
  let held = 0
  let heldBits = 0
  const grow = () => {
    const larger = new Uint8Array(buffer.length * 2 + 64)
    larger.set(buffer)
    buffer = larger
  }
  /** Writes the low `length` bits of `value`; at most 24 at a time. */
  const bits = (value: number, length: number) => {
    held = (held << length) | value
    heldBits += length
    if (size + 8 > buffer.length) grow()
    while (heldBits >= 8) {
      heldBits -= 8
      const byte = (held >>> heldBits) & 0xff
      buffer[size++] = byte
      if (byte === 0xff) buffer[size++] = 0
    }
    held &= (1 << heldBits) - 1
  }
  return {
    bits,
    bytes: (values: readonly number[]) => {
      while (size + values.length > buffer.length) grow()
      buffer.set(values, size)
      size += values.length
    },
    /** Fills the last byte with ones. */
    align: () => {
      if (heldBits > 0) bits((1 << (8 - heldBits)) - 1, 8 - heldBits)
    },
    finish: () => buffer.slice(0, size),
  }
}
