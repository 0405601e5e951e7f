export type PictureFormat = 'jpeg' | 'png' | 'webp'

const pngSignature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

/** Detects the format from the first bytes. The declared content type is ignored, because hosts often get it wrong. */
export function sniffFormat(bytes: Uint8Array): PictureFormat | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'jpeg'
  if (pngSignature.every((value, index) => bytes[index] === value)) return 'png'
  if (readAscii(bytes, 0, 4) === 'RIFF' && readAscii(bytes, 8, 4) === 'WEBP') return 'webp'
  return undefined
}

/** Reads `length` bytes at `offset` as ASCII; fewer where the input ends. */
export function readAscii(bytes: Uint8Array, offset: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(offset, offset + length))
}
