import { describe, expect, it } from 'vitest'
import { decodePicture } from '../../src/vision/image/decode-picture.ts'
import { encodeJpeg } from '../../src/vision/image/encode-jpeg.ts'
import { shrink } from '../../src/vision/image/shrink.ts'
import { hashPicture, levelBits, levelCount, type PictureHash } from '../../src/vision/picture-hash.ts'
import type { Picture } from '../../src/vision/picture.ts'
import { makeFlatLay } from '../../training/flat-lay/make-flat-lay.ts'

const photograph = (seed: number) => makeFlatLay(seed, { width: 600, height: 800 }).picture
const recompress = async (picture: Picture, quality: number) =>
  (await decodePicture(encodeJpeg(picture, quality), 1280)).picture

const levelsOf = ({ colours }: PictureHash) =>
  Array.from({ length: levelCount }, (_, place) => Number((BigInt(colours) >> BigInt(levelBits * place)) & 31n))

/** How many bits differ, and by how many levels the colours do at most. */
function distance(a: PictureHash, b: PictureHash) {
  const bits = (BigInt(a.bits) ^ BigInt(b.bits)).toString(2).replaceAll('0', '').length
  const others = levelsOf(b)
  return { bits, levels: Math.max(...levelsOf(a).map((level, place) => Math.abs(level - (others[place] ?? 0)))) }
}

describe('the hash of a picture', () => {
  it('is nearly that of the same picture smaller and compressed more', async () => {
    for (const seed of [1, 2, 3]) {
      const picture = photograph(seed)
      const { bits, levels } = distance(hashPicture(picture), hashPicture(await recompress(shrink(picture, 500), 40)))
      expect(bits).toBeLessThanOrEqual(4)
      expect(levels).toBeLessThanOrEqual(1)
    }
  })

  it('differs in its bits for another picture, and in its colours for another colour', () => {
    const [first, second] = [photograph(1), photograph(2)]
    expect(distance(hashPicture(first), hashPicture(second)).bits).toBeGreaterThan(10)
    const data = first.data.map((value, at) => (at % 4 === 0 ? value * 0.6 : value))
    const tinted = distance(hashPicture(first), hashPicture({ ...first, data }))
    expect(tinted.bits).toBeLessThanOrEqual(4)
    expect(tinted.levels).toBeGreaterThan(1)
  })

  it('has 63 bits and levels of five', () => {
    const white = new Uint8ClampedArray(64 * 64 * 4).fill(255)
    expect(levelsOf(hashPicture({ width: 64, height: 64, data: white }))).toEqual(Array(levelCount).fill(31))
    expect(BigInt(hashPicture(photograph(4)).bits).toString(2).length).toBeGreaterThan(53)
  })
})
