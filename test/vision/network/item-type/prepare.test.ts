import { describe, expect, it } from 'vitest'
import { CLASSES, classify } from '../../../../src/vision/network/item-type/forward.ts'
import { prepare } from '../../../../src/vision/network/item-type/prepare.ts'
import type { Picture } from '../../../../src/vision/picture.ts'

type Rgb = readonly [number, number, number]
type Inside = (x: number, y: number) => boolean

/** Draws one flat shape; the ground is a loud red, so that any of it that gets through shows. */
function draw(width: number, height: number, rgb: Rgb, inside: Inside, ground: Rgb = [255, 0, 0]) {
  const data = new Uint8ClampedArray(width * height * 4)
  const mask = new Uint8Array(width * height)
  for (let i = 0; i < mask.length; i++) {
    const hit = inside(i % width, Math.floor(i / width))
    mask[i] = hit ? 1 : 0
    data.set([...(hit ? rgb : ground), 255], i * 4)
  }
  return { picture: { width, height, data } satisfies Picture, mask }
}

const box =
  (left: number, top: number, right: number, bottom: number): Inside =>
  (x, y) =>
    x >= left && x < right && y >= top && y < bottom

/** In units of a 300 x 400 picture. */
const trousers: Inside = (x, y) =>
  y >= 20 && y < 380 && Math.abs(x - 150) < 62 + y * 0.03 && (y < 150 || Math.abs(x - 150) > 4 + (y - 150) * 0.06)
const shirt: Inside = (x, y) => {
  const across = Math.abs(x - 150)
  if (y < 40 || y > 370 || (across < 32 && y < 40 + 26 * (1 - (across / 32) ** 2))) return false
  return across < 88 || (across < 140 && y - (across - 88) * 0.5 < 130 && y - (across - 88) * 0.5 > 48)
}

const named = (shape: Inside, rgb: Rgb) => {
  const { picture, mask } = draw(300, 400, rgb, shape)
  const { probabilities } = classify(prepare(picture, mask))
  return CLASSES[probabilities.indexOf(Math.max(...probabilities))]
}

const rows = (pixels: Float32Array) =>
  Array.from({ length: 28 }, (_, y) => Array.from(pixels.subarray(y * 28, y * 28 + 28)))

describe('prepare', () => {
  it('trims to the garment, fits its longest edge to 28 and centres it, whatever the background', () => {
    const { picture, mask } = draw(400, 500, [0, 0, 0], box(20, 100, 120, 300))
    const pixels = rows(prepare(picture, mask))
    pixels.forEach((row) => row.forEach((value, x) => expect(value).toBeCloseTo(x >= 7 && x < 21 ? 1 : 0, 5)))
  })

  it('is dark cloth bright and light cloth less so', () => {
    const middle = (rgb: Rgb) => {
      const { picture, mask } = draw(200, 200, rgb, box(50, 50, 150, 150))
      return prepare(picture, mask)[14 * 28 + 14]!
    }
    expect(middle([0, 0, 0])).toBeCloseTo(1, 5)
    expect(middle([128, 128, 128])).toBeCloseTo(127 / 255, 2)
    // Rec. 709: green is far lighter than blue.
    expect(middle([0, 0, 200])).toBeGreaterThan(middle([0, 200, 0]) + 0.3)
  })

  it('keeps a white garment visible, and its folds', () => {
    const { picture, mask } = draw(200, 200, [252, 252, 252], box(50, 50, 150, 150))
    for (let y = 50; y < 150; y++) for (let x = 95; x < 105; x++) picture.data.set([222, 222, 222], (y * 200 + x) * 4)
    const row = prepare(picture, mask).subarray(14 * 28, 15 * 28)
    expect(row[5]!).toBeGreaterThan(0.3)
    expect(row[14]!).toBeGreaterThan(row[5]! + 0.1)
  })

  it('stays between 0 and 1 for any picture', () => {
    const { picture, mask } = draw(90, 70, [0, 0, 0], (x, y) => (x * 7 + y * 13) % 5 < 2)
    picture.data.forEach((_, i) => (picture.data[i] = (i * 2654435761) % 256))
    expect(prepare(picture, mask).every((value) => value >= 0 && value <= 1)).toBe(true)
  })

  it('takes garments of a single pixel and of a single row', () => {
    for (const shape of [box(3, 3, 4, 4), box(0, 5, 90, 6), box(5, 0, 6, 70)]) {
      const { picture, mask } = draw(90, 70, [0, 0, 0], shape)
      expect(Math.max(...prepare(picture, mask))).toBe(1)
    }
  })

  it('refuses a mask of another size, and one that marks nothing', () => {
    const { picture } = draw(10, 10, [0, 0, 0], () => false)
    expect(() => prepare(picture, new Uint8Array(99))).toThrow(RangeError)
    expect(() => prepare(picture, new Uint8Array(100))).toThrow(RangeError)
  })

  it.each([
    ['dark', [30, 32, 48]],
    ['mid', [150, 60, 60]],
    ['white', [250, 250, 248]],
  ] as const)('makes pictures that the network knows: %s trousers and T-shirt', (_, rgb) => {
    expect(named(trousers, rgb)).toBe('Trouser')
    expect(named(shirt, rgb)).toBe('T-shirt/top')
  })
})
