import { describe, expect, it } from 'vitest'
import { decodePicture } from '../../../src/vision/image/decode-picture.ts'
import { encodeJpeg } from '../../../src/vision/image/encode-jpeg.ts'
import { PictureError } from '../../../src/vision/picture-error.ts'
import type { HostilePicture } from '../../fixtures/pictures/hostile/damage.ts'
import { hostileJpegs } from '../../fixtures/pictures/hostile/hostile-jpegs.ts'
import { hostilePngs } from '../../fixtures/pictures/hostile/hostile-pngs.ts'
import { hostileWebps } from '../../fixtures/pictures/hostile/hostile-webps.ts'

const maxEdge = 1280

const healthy = encodeJpeg(
  { width: 64, height: 48, data: Uint8ClampedArray.from({ length: 64 * 48 * 4 }, (_, at) => (at * 3) % 256) },
  85,
)

type Decoded = Awaited<ReturnType<typeof decodePicture>>

const isWhole = ({ picture, scale }: Decoded) =>
  picture.data.length === picture.width * picture.height * 4 &&
  Math.max(picture.width, picture.height) <= maxEdge &&
  scale > 0

const isSentence = (error: unknown) => error instanceof PictureError && /^[A-Z].*\.$/.test(error.message)

/** Decodes all of `pictures`. Each must end in a whole picture or a sentence for the client. */
async function decodeAll(pictures: Iterable<HostilePicture> | AsyncIterable<HostilePicture>) {
  const names = new Set<string>()
  const problems: string[] = []
  let refused = 0
  for await (const { name, bytes } of pictures) {
    names.add(name)
    try {
      if (!isWhole(await decodePicture(bytes, maxEdge))) problems.push(`${name}: not a whole picture`)
    } catch (error) {
      refused++
      if (!isSentence(error)) problems.push(`${name}: ${String(error)}`)
    }
  }
  return { count: names.size, refused, problems }
}

describe('a hostile picture ends in a picture or in a sentence', () => {
  it.each([
    ['JPEG', () => hostileJpegs(healthy), 200, 100],
    ['PNG', hostilePngs, 180, 100],
    ['WebP', hostileWebps, 250, 100],
  ] as const)('when it is a %s, and leaves the decoders sound', async (_, pictures, leastCount, leastRefused) => {
    const expected = await decodePicture(healthy, maxEdge)
    const { count, refused, problems } = await decodeAll(pictures())
    expect(problems).toEqual([])
    expect(count).toBeGreaterThanOrEqual(leastCount)
    expect(refused).toBeGreaterThanOrEqual(leastRefused)
    expect(await decodePicture(healthy, maxEdge)).toEqual(expected)
  })
})
