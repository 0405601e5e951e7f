import { describe, expect, it } from 'vitest'
import { decodePicture, openPicture } from '../../../src/vision/image/decode-picture.ts'
import { encodeWebp } from '../../fixtures/pictures/encode-webp.ts'
import { concat, repeat } from '../../fixtures/pictures/hostile/damage.ts'
import { groupedWebp } from '../../fixtures/pictures/hostile/grouped-webp.ts'
import { makePng } from '../../fixtures/pictures/make-png.ts'
import { progressiveJpeg } from '../../fixtures/pictures/progressive-jpeg.ts'

const small = { width: 8, height: 8, data: new Uint8ClampedArray(8 * 8 * 4).fill(200) }

async function pngOf(width: number, height: number): Promise<Uint8Array> {
  const png = await makePng({ width: 8, height: 8, colourType: 0, depth: 8, pixel: () => [9] })
  const view = new DataView(png.buffer)
  view.setUint32(16, width)
  view.setUint32(20, height)
  return png
}

/** The progressive JPEG with another size and sampling (horizontal << 4 | vertical) of its first component. */
function progressiveOf(width: number, height: number, sampling: number): Uint8Array {
  const bytes = progressiveJpeg.slice()
  const frame = bytes.findIndex((byte, at) => byte === 0xff && bytes[at + 1] === 0xc2)
  bytes.set([height >> 8, height & 255, width >> 8, width & 255], frame + 5)
  bytes[frame + 11] = sampling
  return bytes
}

/** A PNG of 8 x 8 pixels whose one block of pixels follows so many blocks that hold nothing. */
async function pngWithEmptyBlocks(count: number): Promise<Uint8Array> {
  const zlibHeader = Uint8Array.of(0x78, 0x9c)
  // Four blocks of fixed Huffman codes with only their end, 10 bits each.
  const fourEmpty = Uint8Array.of(0x02, 0x08, 0x20, 0x80, 0x00)
  const stored = Uint8Array.of(1, 72, 0, 255 - 72, 255)
  const data = concat(zlibHeader, repeat(fourEmpty, count / 4), stored, new Uint8Array(72))
  const length = new Uint8Array(4)
  new DataView(length.buffer).setUint32(0, data.length)
  const chunk = concat(length, new TextEncoder().encode('IDAT'), data, new Uint8Array(4))
  const end = Uint8Array.of(0, 0, 0, 0, 73, 69, 78, 68, 0, 0, 0, 0)
  return concat((await pngOf(8, 8)).subarray(0, 33), chunk, end)
}

async function losslessOf(width: number, height: number): Promise<Uint8Array> {
  const bytes = (await encodeWebp(small, true)).slice()
  const view = new DataView(bytes.buffer)
  view.setUint32(21, (view.getUint32(21, true) & 0xf0000000) | (width - 1) | ((height - 1) << 14), true)
  return bytes
}

describe('the limits of pictures', () => {
  it('allow 12.5 megapixels and 20,000 pixels on an edge, and no more', async () => {
    expect(openPicture(await pngOf(4032, 3024))).toMatchObject({ width: 4032, height: 3024 })
    expect(openPicture(await pngOf(20_000, 625))).toMatchObject({ width: 20_000 })
    const tooMany = await pngOf(4000, 3126)
    expect(() => openPicture(tooMany)).toThrow(
      'The PNG image has 12.5 megapixels (4000 x 3126); at most 12.5 are allowed in this format. It can be larger as a baseline JPEG.',
    )
    const tooLong = await pngOf(1, 20_001)
    expect(() => openPicture(tooLong)).toThrow('The image is 1 x 20001 pixels; at most 20000 on each edge are allowed.')
  })

  it('allow a progressive JPEG as many pixels as its coefficients have room', () => {
    expect(openPicture(progressiveOf(4032, 3024, 0x22))).toMatchObject({ width: 4032 })
    expect(openPicture(progressiveOf(2900, 2200, 0x11))).toMatchObject({ width: 2900 })
    expect(() => openPicture(progressiveOf(4032, 3024, 0x11))).toThrow(
      'The progressive JPEG image has 12.2 megapixels (4032 x 3024); at most 6.66 are allowed in this format. It can be larger as a baseline JPEG.',
    )
  })

  it('allow a lossless WebP 6.25 megapixels', async () => {
    expect(openPicture(await losslessOf(2500, 2500))).toMatchObject({ kind: 'lossless WebP', width: 2500 })
    const tooMany = await losslessOf(4032, 3024)
    expect(() => openPicture(tooMany)).toThrow(
      /^The lossless WebP image has 12.2 megapixels .*; at most 6.25 are allowed in this format\. It can be larger as a baseline JPEG\.$/,
    )
  })

  it('allow a PNG 50,000 blocks of compressed data', async () => {
    expect((await decodePicture(await pngWithEmptyBlocks(49_996), 1280)).picture.width).toBe(8)
    await expect(decodePicture(await pngWithEmptyBlocks(50_000), 1280)).rejects.toThrow(
      'The PNG image is damaged and cannot be decoded.',
    )
  })

  it('allow a lossless WebP 5,000 groups of Huffman codes', async () => {
    expect((await decodePicture(groupedWebp(5000), 1280)).picture.width).toBe(8)
    await expect(decodePicture(groupedWebp(5001), 1280)).rejects.toThrow(
      'The WebP image is damaged and cannot be decoded.',
    )
  })

  it('leave other requests their turn while the scans of a large JPEG are read', async () => {
    let turns = 0
    const other = setInterval(() => turns++, 0)
    await decodePicture(progressiveOf(4032, 3024, 0x22), 1280)
    clearInterval(other)
    expect(turns).toBeGreaterThan(10)
  })

  it('allow a PNG 10,000 chunks and a WebP 1,000', async () => {
    const png = await pngOf(8, 8)
    const empty = Uint8Array.of(0, 0, 0, 0, 73, 68, 65, 84, 0, 0, 0, 0)
    const flooded = (count: number) => concat(png.subarray(0, 33), repeat(empty, count), png.subarray(33))
    expect((await decodePicture(flooded(9_000), 1280)).picture.width).toBe(8)
    expect(() => openPicture(flooded(400_000))).toThrow('The PNG image has more than 10000 chunks.')
    const webp = await encodeWebp({ ...small, data: small.data.map((value, at) => (at % 4 === 3 ? 99 : value)) })
    const long = concat(webp, repeat(Uint8Array.of(88, 88, 88, 88, 0, 0, 0, 0), 100_000))
    new DataView(long.buffer).setUint32(4, long.length - 8, true)
    expect(() => openPicture(long)).toThrow('The WebP image has more than 1000 chunks.')
  })
})
