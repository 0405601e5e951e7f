import { describe, expect, it } from 'vitest'
import { decodePicture } from '../../../src/vision/image/decode-picture.ts'
import { encodeJpeg } from '../../../src/vision/image/encode-jpeg.ts'
import type { Picture } from '../../../src/vision/picture.ts'
import { encodeWebp } from '../../fixtures/pictures/encode-webp.ts'
import { makeCmykJpeg } from '../../fixtures/pictures/make-cmyk-jpeg.ts'
import { makePng } from '../../fixtures/pictures/make-png.ts'
import { progressiveJpeg } from '../../fixtures/pictures/progressive-jpeg.ts'
import { withOrientation } from '../../fixtures/pictures/with-orientation.ts'

/** Red top left, green top right, blue bottom left, grey bottom right. */
function quarters(width: number, height: number): Picture {
  const data = new Uint8ClampedArray(width * height * 4)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) data.set(colourAt(x < width / 2, y < height / 2), (y * width + x) * 4)
  }
  return { width, height, data }
}

function colourAt(isLeft: boolean, isTop: boolean): [number, number, number, number] {
  if (isTop) return isLeft ? [220, 20, 30, 255] : [20, 180, 40, 255]
  return isLeft ? [30, 40, 210, 255] : [128, 128, 128, 255]
}

/** The names of the four corners' colours: top left, top right, bottom left, bottom right. */
function corners({ width, height, data }: Picture): string {
  const at = (x: number, y: number) => {
    const [red = 0, green = 0, blue = 0] = data.subarray((y * width + x) * 4, (y * width + x) * 4 + 3)
    const most = Math.max(red, green, blue)
    if (most - Math.min(red, green, blue) < 40) return 'x'
    return most === red ? 'r' : most === green ? 'g' : 'b'
  }
  const [x, y] = [Math.floor(width * 0.75), Math.floor(height * 0.75)]
  return at(2, 2) + at(x, 2) + at(2, y) + at(x, y)
}

describe('decodePicture', () => {
  it.each([
    [1, 'rgbx', 96, 64],
    [2, 'grxb', 96, 64],
    [3, 'xbgr', 96, 64],
    [4, 'bxrg', 96, 64],
    [5, 'rbgx', 64, 96],
    [6, 'brxg', 64, 96],
    [7, 'xgbr', 64, 96],
    [8, 'gxrb', 64, 96],
  ])('turns EXIF orientation %i upright, whichever byte order', async (orientation, expected, width, height) => {
    const jpeg = encodeJpeg(quarters(96, 64), 90)
    for (const littleEndian of [true, false]) {
      const { picture } = await decodePicture(withOrientation(jpeg, orientation, littleEndian), 1280)
      expect([corners(picture), picture.width, picture.height]).toEqual([expected, width, height])
    }
  })

  it('turns a JPEG with two blocks of EXIF by the first', async () => {
    const once = withOrientation(encodeJpeg(quarters(96, 64), 90), 1)
    expect(corners((await decodePicture(withOrientation(once, 6), 1280)).picture)).toBe('brxg')
  })

  it('says how many pixels of the upright original one pixel of the working copy stands for', async () => {
    const { picture, scale } = await decodePicture(withOrientation(encodeJpeg(quarters(2400, 1600), 80), 6), 1280)
    expect(Math.max(picture.width, picture.height)).toBeLessThanOrEqual(1280)
    expect(picture.width * scale).toBeCloseTo(1600, -1)
    expect(picture.height * scale).toBeCloseTo(2400, -1)
  })

  it('gives back the colours that were encoded as JPEG', async () => {
    const original = quarters(64, 48)
    const { picture } = await decodePicture(encodeJpeg(original, 92), 1280)
    for (const [x, y] of [
      [8, 8],
      [56, 8],
      [8, 40],
      [56, 40],
    ] as const) {
      const at = (y * 64 + x) * 4
      for (let channel = at; channel < at + 3; channel++)
        expect(Math.abs(picture.data[channel]! - original.data[channel]!)).toBeLessThan(6)
    }
  })

  it('decodes a progressive JPEG', async () => {
    const { picture } = await decodePicture(progressiveJpeg, 1280)
    expect([corners(picture), picture.width, picture.height]).toEqual(['rgbx', 64, 48])
  })

  it('decodes CMYK', async () => {
    const jpeg = makeCmykJpeg(12, 8, (column, row) => {
      if (row < 4) return column < 6 ? [220, 20, 30, 255] : [20, 180, 40, 255]
      return column < 6 ? [30, 40, 210, 255] : [255, 255, 255, 128]
    })
    const { picture } = await decodePicture(jpeg, 1280)
    expect([corners(picture), picture.width, picture.height]).toEqual(['rgbx', 96, 64])
  })

  it.each([true, false])('decodes WebP, lossless %s', async (lossless) => {
    const bytes = await encodeWebp(quarters(96, 64), lossless)
    const { picture } = await decodePicture(bytes, 1280)
    expect([corners(picture), picture.width, picture.height]).toEqual(['rgbx', 96, 64])
  })

  it('shrinks a WebP to the working size', async () => {
    const bytes = await encodeWebp(quarters(1500, 900))
    const { picture } = await decodePicture(bytes, 500)
    expect([corners(picture), picture.width, picture.height]).toEqual(['rgbx', 500, 300])
  })

  it.each([
    ['8-bit RGB', 2, 8, false],
    ['16-bit RGB', 2, 16, false],
    ['8-bit RGBA', 6, 8, true],
    ['16-bit RGBA', 6, 16, false],
    ['interlaced RGB', 2, 8, true],
  ] as const)('decodes a PNG of %s', async (_, colourType, depth, interlaced) => {
    const stretch = depth === 16 ? 257 : 1
    const pixel = (x: number, y: number) =>
      colourAt(x < 48, y < 32)
        .slice(0, colourType === 2 ? 3 : 4)
        .map((value) => value * stretch)
    const { picture } = await decodePicture(
      await makePng({ width: 96, height: 64, colourType, depth, pixel, interlaced }),
      1280,
    )
    expect(picture.data).toEqual(quarters(96, 64).data)
  })

  it.each([1, 2, 4, 8, 16] as const)('decodes a grey PNG of %i bits', async (depth) => {
    const most = 2 ** depth - 1
    const { picture } = await decodePicture(
      await makePng({ width: 53, height: 31, colourType: 0, depth, pixel: (x) => [x % 2 === 0 ? most : 0] }),
      1280,
    )
    expect([...picture.data.subarray(0, 8)]).toEqual([255, 255, 255, 255, 0, 0, 0, 255])
    expect([...picture.data.subarray(-4)]).toEqual([255, 255, 255, 255])
  })

  it.each([
    [2, false],
    [8, true],
  ] as const)(
    'decodes a palette PNG of %i bits, interlaced %s, and lays what is transparent on white',
    async (depth, interlaced) => {
      const palette = [220, 20, 30, 20, 180, 40, 30, 40, 210, 128, 128, 128]
      const pixel = (x: number, y: number) => [(x < 48 ? 0 : 1) + (y < 32 ? 0 : 2)]
      const bytes = await makePng({
        width: 96,
        height: 64,
        colourType: 3,
        depth,
        palette,
        transparency: [255, 0],
        pixel,
        interlaced,
      })
      const { picture } = await decodePicture(bytes, 1280)
      expect([...picture.data.subarray(0, 4)]).toEqual([220, 20, 30, 255])
      expect([...picture.data.subarray(95 * 4, 96 * 4)]).toEqual([255, 255, 255, 255])
    },
  )

  it('averages a PNG to the working size without holding it whole', async () => {
    const bytes = await makePng({
      width: 900,
      height: 700,
      colourType: 2,
      depth: 8,
      pixel: (x, y) => ((x + y) % 2 === 0 ? [200, 100, 0] : [100, 100, 200]),
      filter: 1,
    })
    const { picture, scale } = await decodePicture(bytes, 500)
    expect([picture.width, picture.height, scale]).toEqual([450, 350, 2])
    expect([...picture.data.subarray(0, 4)]).toEqual([150, 100, 100, 255])
  })
})
