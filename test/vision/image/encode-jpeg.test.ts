import { describe, expect, it } from 'vitest'
import { decodePicture } from '../../../src/vision/image/decode-picture.ts'
import { encodeJpeg } from '../../../src/vision/image/encode-jpeg.ts'
import { makeFlatLay } from '../../../training/flat-lay/make-flat-lay.ts'

describe('encodeJpeg', () => {
  it.each([
    [16, 16],
    [17, 9],
    [1, 1],
    [250, 3],
  ])('writes %i x %i pixels that decode to the same size', async (width, height) => {
    const data = new Uint8ClampedArray(width * height * 4).map((_, at) => (at % 4 === 3 ? 255 : (at * 7) % 256))
    const { picture } = await decodePicture(encodeJpeg({ width, height, data }, 80), 1280)
    expect([picture.width, picture.height]).toEqual([width, height])
  })

  it('keeps a picture within a few levels of the original, the nearer the higher the quality', async () => {
    const { picture } = makeFlatLay(4, { itemType: 'Dress', pattern: 'Plain', noise: 0, width: 240, height: 320 })
    const errorAt = async (quality: number) => {
      const decoded = (await decodePicture(encodeJpeg(picture, quality), 1280)).picture
      return picture.data.reduce((sum, value, at) => sum + Math.abs(value - decoded.data[at]!), 0) / picture.data.length
    }
    const [low, high] = [await errorAt(40), await errorAt(95)]
    expect(high).toBeLessThan(1)
    expect(low).toBeGreaterThan(high)
  })
})
