/** Reads `length` bytes at `offset` as ASCII; fewer where the input ends. */
export function readAscii(bytes: Uint8Array, offset: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(offset, offset + length))
}

/** Whether the bytes at `offset` are those of `text`. */
export function hasAscii(bytes: Uint8Array, offset: number, text: string): boolean {
  return readAscii(bytes, offset, text.length) === text
}
