import { describe, expect, it } from 'vitest'
import { decodePicture } from '../../../src/vision/image/decode-picture.ts'
import { encodeJpeg } from '../../../src/vision/image/encode-jpeg.ts'
import { eraseJpeg } from '../../../src/vision/image/jpeg.ts'
import { type ByteSource, createByteSource } from '../../../src/vision/image/read-bytes.ts'
import { eraseMetadata } from '../../../src/vision/image/formats.ts'
import type { Picture } from '../../../src/vision/picture.ts'
import { encodeWebp } from '../../fixtures/pictures/encode-webp.ts'
import { chunk, makePng } from '../../fixtures/pictures/make-png.ts'
import { progressiveJpeg } from '../../fixtures/pictures/progressive-jpeg.ts'
import { withOrientation } from '../../fixtures/pictures/with-orientation.ts'

/** Noise, so that coded pixels have bytes FF too. */
function noise(width: number, height: number): Picture {
  const data = new Uint8ClampedArray(width * height * 4)
  let seed = 1
  for (let i = 0; i < data.length; i++) data[i] = i % 4 === 3 ? 255 : (seed = (seed * 48271) % 2147483647) % 256
  return { width, height, data }
}

const secret = 'GPS 48.137, 11.575'
const secretBytes = [...secret].map((letter) => letter.charCodeAt(0))
const hasSecret = (bytes: Uint8Array) => String.fromCharCode(...bytes).includes(secret)

const inPieces = (bytes: Uint8Array, size: number) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size))
      controller.close()
    },
  })

/** What arrives of a picture that is sent in pieces of `size` bytes. */
async function erased(bytes: Uint8Array, contentType: string, size = 1000): Promise<Uint8Array> {
  const pieces = inPieces(bytes, size)
  return new Uint8Array(await new Response(eraseMetadata(pieces, contentType)).arrayBuffer())
}

const insert = (bytes: Uint8Array, at: number, ...more: (readonly number[] | Uint8Array)[]) =>
  Uint8Array.from([...bytes.subarray(0, at), ...more.flatMap((each) => [...each]), ...bytes.subarray(at)])

const segment = (marker: number, body: readonly number[]) => [0xff, marker, 0, body.length + 2, ...body]

const jpeg = encodeJpeg(noise(40, 24))

/** The camera's place in EXIF behind its orientation, XMP, IPTC, a comment, and behind the end of the picture. */
const jpegOfPhone = (coded: Uint8Array) => {
  const turned = withOrientation(coded, 6)
  const exifEnd = 4 + 32
  const withPlace = insert(turned, exifEnd + 2, secretBytes)
  withPlace[5] = 34 + secretBytes.length
  const rest = [segment(0xe1, secretBytes), segment(0xed, secretBytes), segment(0xfe, secretBytes)]
  return Uint8Array.from([...insert(withPlace, exifEnd + 2 + secretBytes.length, ...rest), ...secretBytes])
}

const pngOptions = {
  width: 8,
  height: 4,
  depth: 8,
  colourType: 2,
  pixel: (x: number, y: number) => [x * 30, y * 60, 9],
} as const
const exifBlock = [...withOrientation(new Uint8Array(2), 6).subarray(12, 38), ...secretBytes]

async function pngOfPhone() {
  const png = await makePng(pngOptions)
  const text = chunk('tEXt', Uint8Array.from(secretBytes))
  return Uint8Array.from([...insert(png, 33, chunk('eXIf', Uint8Array.from(exifBlock)), text), ...secretBytes])
}

/** An extended WebP: its header, the picture, and EXIF and XMP behind it. */
async function webpOfPhone() {
  const coded = (await encodeWebp(noise(16, 8))).subarray(12)
  const riff = (name: string, body: readonly number[]) => {
    const padded = body.length % 2 === 0 ? body : [...body, 0]
    const head = new Uint8Array(8)
    head.set([...name].map((letter) => letter.charCodeAt(0)))
    new DataView(head.buffer).setUint32(4, body.length, true)
    return [...head, ...padded]
  }
  const extended = riff('VP8X', [0b1100, 0, 0, 0, 15, 0, 0, 7, 0, 0])
  const body = [...extended, ...coded, ...riff('EXIF', exifBlock), ...riff('XMP ', secretBytes)]
  const start = riff(
    'RIFF',
    [...'WEBP'].map((letter) => letter.charCodeAt(0)),
  )
  const file = Uint8Array.from([...start, ...body])
  new DataView(file.buffer).setUint32(4, file.length - 8, true)
  return Uint8Array.from([...file, ...secretBytes])
}

describe.each([
  ['a baseline JPEG', 'image/jpeg', async () => jpegOfPhone(jpeg)],
  ['a progressive JPEG', 'image/jpeg', async () => jpegOfPhone(progressiveJpeg)],
  ['a PNG', 'image/png', pngOfPhone],
  ['a WebP', 'image/webp', webpOfPhone],
] as const)('%s', (_, contentType, make) => {
  it.each([1, 2, 7, 100_000])(
    'loses its metadata and keeps its pixels and orientation, in pieces of %i',
    async (size) => {
      const file = await make()
      expect(hasSecret(file)).toBe(true)
      const clean = await erased(file, contentType, size)
      expect(hasSecret(clean)).toBe(false)
      const [before, after] = [await decodePicture(file, 1000), await decodePicture(clean, 1000)]
      expect(after).toEqual(before)
      expect(after.picture.height).toBeGreaterThan(after.picture.width)
    },
  )

  it('is cleaned up to where it is cut off', async () => {
    const file = await make()
    for (const length of [0, 1, 3, 15, 60, file.length - secretBytes.length - 1])
      expect((await erased(file.subarray(0, length), contentType)).length).toBeLessThanOrEqual(length)
  })
})

it('a picture without metadata stays as it is, byte by byte', async () => {
  const png = await makePng(pngOptions)
  const webp = await encodeWebp(noise(16, 8))
  expect(await erased(jpeg, 'image/jpeg', 3)).toEqual(jpeg)
  expect(await erased(png, 'image/png', 3)).toEqual(png)
  expect(await erased(webp, 'image/webp', 3)).toEqual(webp)
})

it('a file that is not of its type gives nothing of what it says', async () => {
  const text = Uint8Array.from([...secretBytes, ...secretBytes])
  for (const type of ['image/jpeg', 'image/png', 'image/webp', 'text/html', '', 'constructor'])
    expect(hasSecret(await erased(text, type))).toBe(false)
})

describe('a JPEG that is made to cost time', () => {
  it('has its fill bytes read piece by piece', async () => {
    const filled = insert(jpeg, 2, new Uint8Array(500_000).fill(0xff))
    const source = createByteSource(inPieces(filled, 1000))
    let reads = 0
    const counted: ByteSource = {
      ...source,
      take: async (length) => (reads++, await source.take(length)),
      some: async (limit) => (reads++, await source.some(limit)),
    }
    for await (const part of eraseJpeg(counted)) expect(part.length).toBeGreaterThan(0)
    expect(reads).toBeLessThan(700)
    expect(await erased(filled, 'image/jpeg')).toEqual(await erased(jpeg, 'image/jpeg'))
  })

  it('ends after more segments than the decoder reads', async () => {
    const many = insert(jpeg, 2, Uint8Array.from(Array.from({ length: 5000 }, () => segment(0xe0, [])).flat()))
    expect((await erased(many, 'image/jpeg')).length).toBe(2 + 4097 * 4)
  })
})

it.each([
  ['a byte', [0]],
  ['a stuffed FF and a restart', [0xff, 0, 0xff, 0xd0]],
  ['many bytes', Array.from({ length: 3000 }, (_, at) => at % 255)],
])('a JPEG with %s between its segments is erased as its decoder reads it, however it arrives', async (_, stray) => {
  const phone = jpegOfPhone(jpeg)
  const frame = phone.findIndex((byte, at) => byte === 0xff && phone[at + 1] === 0xc0)
  const odd = insert(insert(phone, frame, stray), 2 + 2 + 32 + 2 + secretBytes.length, stray)
  for (const size of [1, 7, 100_000]) {
    const bytes = await erased(odd, 'image/jpeg', size)
    expect(hasSecret(bytes)).toBe(false)
    expect(bytes.toHex() === (await erased(phone, 'image/jpeg')).toHex()).toBe(true)
  }
  const [before, after] = [await decodePicture(odd, 100), await decodePicture(await erased(odd, 'image/jpeg'), 100)]
  expect(after.size).toEqual(before.size)
  expect(after.picture.data.join() === before.picture.data.join()).toBe(true)
})
