import { afterEach, expect, it, vi } from 'vitest'
// @ts-expect-error: the scripts of the pages have no types.
import { prepareImage } from '../../src/dashboard/public/assets/scripts/upload/prepare-image.js'
import { progressiveJpeg } from '../fixtures/pictures/progressive-jpeg.ts'
import { withOrientation } from '../fixtures/pictures/with-orientation.ts'

afterEach(() => vi.unstubAllGlobals())

/** The beginning of a baseline JPEG: a segment of tables, then the frame. */
const baselineJpeg = Uint8Array.of(0xff, 0xd8, 0xff, 0xdb, 0, 3, 0, 0xff, 0xc0, 0, 11)

const pngSignature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)

/** Prepares a file that the browser opens as a picture of the given size. */
async function prepare(bytes: Uint8Array, [width, height]: readonly [number, number], hasStudio: boolean) {
  vi.stubGlobal('createImageBitmap', async () => ({ width, height, close: () => {} }))
  const file = new File([bytes], 'a')
  const prepared = await prepareImage(file, hasStudio)
  return prepared.file === file ? 'as it is' : (prepared.problem ?? 'another')
}

const refused = expect.stringContaining('the scale of its Studio would then be wrong')

it.each([
  ['a baseline JPEG of 48 megapixels', baselineJpeg, [8000, 6000], 'as it is'],
  ['the same from a phone', withOrientation(baselineJpeg, 6), [6000, 8000], 'as it is'],
  ['a larger one', baselineJpeg, [8000, 6500], refused],
  ['a progressive JPEG of 12 megapixels', progressiveJpeg, [4000, 3000], 'as it is'],
  ['a larger one', progressiveJpeg, [4200, 3000], refused],
  ['a JPEG without a frame', baselineJpeg.subarray(0, 7), [4200, 3000], refused],
  ['a PNG of 48 megapixels', pngSignature, [8000, 6000], refused],
] as const)('a photograph of a studio is sent in its size, or not: %s', async (_, bytes, size, expected) => {
  expect(await prepare(bytes, size, true)).toEqual(expected)
})

it('any other photograph is sent as it is where the service takes it', async () => {
  expect(await prepare(baselineJpeg, [8000, 6000], false)).toBe('as it is')
})
