import { describe, expect, it } from 'vitest'
import { decodePicture, openPicture } from '../../../src/vision/image/decode-picture.ts'
import { tagPicture } from '../../../src/vision/tag-picture.ts'
import { makeFlatLay } from '../../../training/flat-lay/make-flat-lay.ts'
import { makeLargeJpeg } from '../../fixtures/pictures/make-large-jpeg.ts'
import { withOrientation } from '../../fixtures/pictures/with-orientation.ts'

const lay = makeFlatLay(3, { itemType: 'T-Shirt', colour: 'Navy', pattern: 'Plain', width: 600, height: 800 })

describe('a JPEG as large as phones take them', () => {
  it.each([
    [4000, 6000],
    [6112, 8160],
  ])('is tagged with %i x %i pixels', async (width, height) => {
    const jpeg = makeLargeJpeg(lay.picture, width, height)
    const { tag, measurements } = await tagPicture(jpeg, {
      attribute: {},
      cmPerPixel: (lay.truth.cmPerPixel * 600) / width,
    })
    expect(tag).toMatchObject({ 'Item Type': 'T-Shirt', Colour: 'Navy' })
    expect(Math.abs(measurements['Chest (cm)']! - lay.truth.measurements['Chest']!)).toBeLessThan(2)
  })

  it('is turned upright', async () => {
    const jpeg = makeLargeJpeg(lay.picture, 6112, 8160)
    const plain = await decodePicture(jpeg, 1280)
    const turned = await decodePicture(withOrientation(jpeg, 6), 1280)
    expect([plain.picture.width, plain.picture.height]).toEqual([764, 1020])
    expect([turned.picture.width, turned.picture.height]).toEqual([1020, 764])
    expect([plain.scale, turned.scale]).toEqual([8, 8])
  })

  it('is refused beyond 50 megapixels', () => {
    const jpeg = makeLargeJpeg(lay.picture, 16, 16)
    const frame = jpeg.findIndex((byte, at) => byte === 0xff && jpeg[at + 1] === 0xc0)
    const resized = (width: number, height: number) => {
      const bytes = jpeg.slice()
      bytes.set([height >> 8, height & 255, width >> 8, width & 255], frame + 5)
      return bytes
    }
    expect(openPicture(resized(10_000, 5000))).toMatchObject({ kind: 'JPEG', width: 10_000, height: 5000 })
    expect(() => openPicture(resized(10_000, 5001))).toThrow(
      'The JPEG image has 50.0 megapixels (10000 x 5001); at most 50 are allowed in this format.',
    )
    expect(() => openPicture(resized(20_001, 100))).toThrow('at most 20000 on each edge are allowed.')
  })
})
