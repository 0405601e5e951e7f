import { describe, expect, it } from 'vitest'
import { decodePicture } from '../../../src/vision/image/decode-picture.ts'
import { encodeJpeg } from '../../../src/vision/image/jpeg/encode-jpeg.ts'
import { PictureError } from '../../../src/vision/picture-error.ts'
import type { HostilePicture } from '../../fixtures/pictures/hostile/damage.ts'
import { hostileJpegs } from '../../fixtures/pictures/hostile/hostile-jpegs.ts'
import { hostilePngs } from '../../fixtures/pictures/hostile/hostile-pngs.ts'
import { hostileWebps } from '../../fixtures/pictures/hostile/hostile-webps.ts'

const MAX_EDGE = 1280

const healthy = encodeJpeg(
  { width: 64, height: 48, data: Uint8ClampedArray.from({ length: 64 * 48 * 4 }, (_, at) => (at * 3) % 256) },
  85,
)

/** Decodes all of `pictures`; anything but a whole picture or a sentence for the client fails the test. */
async function decodeAll(pictures: Iterable<HostilePicture> | AsyncIterable<HostilePicture>) {
  const names = new Set<string>()
  let refused = 0
  for await (const { name, bytes } of pictures) {
    names.add(name)
    try {
      const { picture, scale } = await decodePicture(bytes, MAX_EDGE)
      expect(picture.data.length, name).toBe(picture.width * picture.height * 4)
      expect(Math.max(picture.width, picture.height), name).toBeLessThanOrEqual(MAX_EDGE)
      expect(scale, name).toBeGreaterThan(0)
    } catch (error) {
      expect(error, name).toBeInstanceOf(PictureError)
      expect((error as Error).message, name).toMatch(/^[A-Z].*\.$/)
      refused++
    }
  }
  return { count: names.size, refused }
}

describe('a hostile picture ends in a picture or in a sentence', { timeout: 60_000 }, () => {
  it.each([
    ['JPEG', () => hostileJpegs(healthy), 200, 100],
    ['PNG', hostilePngs, 180, 100],
    ['WebP', hostileWebps, 250, 100],
  ] as const)('when it is a %s, and leaves the decoders sound', async (_, pictures, leastCount, leastRefused) => {
    const expected = await decodePicture(healthy, MAX_EDGE)
    const { count, refused } = await decodeAll(pictures())
    expect(count).toBeGreaterThanOrEqual(leastCount)
    expect(refused).toBeGreaterThanOrEqual(leastRefused)
    expect(await decodePicture(healthy, MAX_EDGE)).toEqual(expected)
  })
})
