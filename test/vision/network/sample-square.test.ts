import { describe, expect, it } from 'vitest'
import { sampleSquare } from '../../../src/vision/network/sample-square.ts'

function gradient(width: number, height: number) {
  const data = new Uint8ClampedArray(width * height * 4).fill(255)
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) data.set([x * 2, y * 2, 100], (y * width + x) * 4)
  return { width, height, data }
}

const pixel = (bytes: Uint8Array, size: number, x: number, y: number) => [
  ...bytes.subarray((y * size + x) * 3, (y * size + x) * 3 + 3),
]

describe('sampleSquare', () => {
  it('copies a square of its own size', () => {
    const out = sampleSquare(gradient(32, 32), { left: 0, top: 0, side: 32 }, 32, 128)
    expect(pixel(out, 32, 7, 20)).toEqual([14, 40, 100])
  })

  it('averages over the area that an output pixel covers', () => {
    const out = sampleSquare(gradient(64, 64), { left: 0, top: 0, side: 64 }, 16, 128)
    // Pixel 5 covers columns 20 to 23 and rows 40 to 43.
    expect(pixel(out, 16, 5, 10)).toEqual([43, 83, 100])
  })

  it('interpolates where it enlarges', () => {
    const out = sampleSquare(gradient(32, 32), { left: 8, top: 8, side: 8 }, 16, 128)
    const [red] = pixel(out, 16, 8, 8)
    expect(red).toBeGreaterThanOrEqual(23)
    expect(red).toBeLessThanOrEqual(24)
  })

  it('fills what lies outside of the picture with the given level', () => {
    const out = sampleSquare(gradient(40, 20), { left: 0, top: -10, side: 40 }, 40, 128)
    expect(pixel(out, 40, 20, 2)).toEqual([128, 128, 128])
    expect(pixel(out, 40, 20, 20)).toEqual([40, 20, 100])
  })

  it('is all outside where the square lies beside the picture', () => {
    const out = sampleSquare(gradient(10, 10), { left: 100, top: 100, side: 10 }, 8, 77)
    expect(out.every((value) => value === 77)).toBe(true)
  })

  it.each([
    [48, 3000],
    [3000, 48],
  ])('takes pictures as narrow as %i x %i', (width, height) => {
    // prettier-ignore
    const side = Math.max(width, height)
    const square = { left: (width - side) / 2, top: (height - side) / 2, side }
    const white = { width, height, data: new Uint8ClampedArray(width * height * 4).fill(255) }
    const out = sampleSquare(white, square, 32, 0)
    expect(Math.max(...out)).toBeGreaterThan(50)
  })
})
