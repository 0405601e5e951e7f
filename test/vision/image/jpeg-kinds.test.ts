import { describe, expect, it } from 'vitest'
import { decodePicture } from '../../../src/vision/image/decode-picture.ts'
import type { Picture } from '../../../src/vision/picture.ts'
import { makeCmykJpeg } from '../../fixtures/pictures/make-cmyk-jpeg.ts'
import { type JpegOptions, makeJpeg } from '../../fixtures/pictures/make-jpeg.ts'
import { withOrientation } from '../../fixtures/pictures/with-orientation.ts'

const size = { width: 256, height: 192 }

const red = [200, 30, 40] as const
const blue = [30, 60, 190] as const

/** Red on the left and blue on the right, as Y, Cb and Cr (JFIF). */
function ycc(x: number): number[] {
  const [r, g, b] = x < size.width / 2 ? red : blue
  const y = 0.299 * r + 0.587 * g + 0.114 * b
  return [y, 128 + (b - y) / 1.772, 128 + (r - y) / 1.402]
}

const colourAt = ({ width, data }: Picture, x: number, y: number) => [
  ...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 3),
]

/** By how much any channel is off at most. */
const distance = (actual: readonly number[], expected: readonly number[]) =>
  Math.max(...actual.map((value, channel) => Math.abs(value - expected[channel]!)))

const colour = (h: number, v: number): JpegOptions['sampling'] => [
  [h, v],
  [1, 1],
  [1, 1],
]

describe('a baseline JPEG is decoded', () => {
  it.each([
    ['4:4:4', colour(1, 1)],
    ['4:2:2', colour(2, 1)],
    ['4:2:0', colour(2, 2)],
    ['4:4:0', colour(1, 2)],
    ['4:1:1', colour(4, 1)],
    ['4:1:0', colour(4, 2)],
  ])('with chroma sampled %s, at full size and scaled', async (_, sampling) => {
    const jpeg = makeJpeg({ ...size, sampling, samples: ycc })
    for (const edge of [1280, 100, 40]) {
      const { picture, scale } = await decodePicture(jpeg, edge)
      expect(Math.max(picture.width, picture.height)).toBeLessThanOrEqual(edge)
      expect(picture.width * scale).toBe(size.width)
      const middle = picture.height >> 1
      expect(distance(colourAt(picture, picture.width >> 3, middle), red)).toBeLessThan(5)
      expect(distance(colourAt(picture, picture.width - 1 - (picture.width >> 3), middle), blue)).toBeLessThan(5)
    }
  })

  it('in grey', async () => {
    const jpeg = makeJpeg({ ...size, sampling: [[1, 1]], samples: (x) => [x < 128 ? 40 : 210] })
    const { picture } = await decodePicture(jpeg, 100)
    expect(distance(colourAt(picture, 4, 20), [40, 40, 40])).toBeLessThan(5)
    expect(distance(colourAt(picture, picture.width - 4, 20), [210, 210, 210])).toBeLessThan(5)
  })

  it('in RGB, where Adobe says so', async () => {
    const jpeg = makeJpeg({ ...size, sampling: colour(1, 1), samples: (x) => (x < 128 ? red : blue), adobe: true })
    expect(distance(colourAt((await decodePicture(jpeg, 1280)).picture, 3, 3), red)).toBeLessThan(5)
  })

  it('in CMYK, scaled', async () => {
    const jpeg = makeCmykJpeg(40, 24, (column) => (column < 20 ? [200, 30, 40, 255] : [255, 255, 255, 100]))
    const { picture } = await decodePicture(jpeg, 60)
    expect(distance(colourAt(picture, 2, 20), red)).toBeLessThan(5)
    expect(distance(colourAt(picture, picture.width - 3, 20), [100, 100, 100])).toBeLessThan(5)
  })

  it.each([
    [1, 1],
    [7, 9],
    [15, 17],
    [33, 31],
    [255, 129],
  ])('of %i x %i pixels', async (width, height) => {
    for (const sampling of [colour(1, 1), colour(2, 2), colour(4, 1)]) {
      const { picture } = await decodePicture(makeJpeg({ width, height, sampling, samples: () => ycc(0) }), 1280)
      expect([picture.width, picture.height]).toEqual([width, height])
      expect(distance(colourAt(picture, width - 1, height - 1), red)).toBeLessThan(5)
    }
  })

  it.each([1, 3, 8, 100])('with a restart marker after every %i units', async (restartInterval) => {
    const plain = await decodePicture(makeJpeg({ ...size, sampling: colour(2, 2), samples: ycc }), 1280)
    const jpeg = makeJpeg({ ...size, sampling: colour(2, 2), samples: ycc, restartInterval })
    const { picture } = await decodePicture(jpeg, 1280)
    expect(picture.data.findIndex((value, at) => value !== plain.picture.data[at])).toBe(-1)
  })

  it('upright, whatever its sampling', async () => {
    const jpeg = makeJpeg({ ...size, sampling: colour(4, 1), samples: ycc })
    const { picture } = await decodePicture(withOrientation(jpeg, 6), 1280)
    expect([picture.width, picture.height]).toEqual([192, 256])
    expect(distance(colourAt(picture, 96, 20), red)).toBeLessThan(5)
    expect(distance(colourAt(picture, 96, 236), blue)).toBeLessThan(5)
  })
})
