import { expect, test } from 'vitest'
import { decodeLabel } from '../../src/labels/read-label.ts'
import networks from '../../src/labels/network/networks.json'
import { withMemory } from '../../src/vision/image/codecs/with-codec.ts'
import { encodeJpeg } from '../../src/vision/image/encode-jpeg.ts'
import { getNetwork } from '../../src/vision/network/get-network.ts'
import { tagPicture } from '../../src/vision/tag-picture.ts'
import { makeFlatLay } from '../../training/flat-lay/make-flat-lay.ts'
import { encodeWebp } from '../fixtures/pictures/encode-webp.ts'
import { readFixture } from './read-fixture.ts'

/** A lossless WebP of the largest accepted size, in a file as large as its raw pixels. */
async function makeLargestWebp(): Promise<Uint8Array> {
  const [width, height] = [2880, 2160]
  const file = await encodeWebp({ width, height, data: new Uint8ClampedArray(width * height * 4).fill(255) }, true)
  const padded = new Uint8Array(width * height * 3)
  padded.set(file)
  const view = new DataView(padded.buffer)
  view.setUint32(4, padded.length - 8, true)
  view.setUint32(file.length + 4, padded.length - file.length - 8, true)
  return padded
}

test('the resident networks and the largest picture take at most 110 MB together', async () => {
  await tagPicture(encodeJpeg(makeFlatLay(1, { width: 300, height: 400 }).picture), { attribute: {} })
  await readFixture('000.jpg')
  const file = await makeLargestWebp()
  const { picture } = await decodeLabel(file)
  // The decoders and the label networks use the same memory, one after the other.
  const shared = await withMemory(async ({ buffer }) => await Promise.resolve(buffer.byteLength))
  const { kernels } = await getNetwork()
  const resident = kernels.memory.buffer.byteLength + networks.weights.bytes
  expect(picture.width).toBe(2048)
  expect(resident + shared + file.length + picture.data.length).toBeLessThan(110_000_000)
})
