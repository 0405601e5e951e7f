import { describe, expect, it } from 'vitest'
import { readProfile } from '../../../src/vision/image/colour-profile.ts'
import { decodePicture } from '../../../src/vision/image/decode-picture.ts'
import { encodeJpeg } from '../../../src/vision/image/encode-jpeg.ts'
import { concat } from '../../fixtures/pictures/hostile/damage.ts'
import { encodeWebp } from '../../fixtures/pictures/encode-webp.ts'
import { chunk, deflate, makePng } from '../../fixtures/pictures/make-png.ts'
import {
  adobeRgb,
  displayP3,
  gammaCurve,
  makeProfile,
  parametricCurve,
  srgb,
  tableCurve,
} from '../../fixtures/pictures/make-profile.ts'

type Colour = readonly [red: number, green: number, blue: number]

const size = { width: 64, height: 64 }

const ascii = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0))

function plain(colour: Colour) {
  const data = new Uint8ClampedArray(size.width * size.height * 4).fill(255)
  for (let at = 0; at < data.length; at += 4) data.set(colour, at)
  return { ...size, data }
}

function jpegOf(colour: Colour, icc: Uint8Array): Uint8Array {
  const body = concat(ascii('ICC_PROFILE\0\x01\x01'), icc)
  const head = Uint8Array.of(0xff, 0xd8, 0xff, 0xe2, (body.length + 2) >> 8, (body.length + 2) & 255)
  return concat(head, body, encodeJpeg(plain(colour), 100).subarray(2))
}

async function pngOf(colour: Colour, profile: Uint8Array): Promise<Uint8Array> {
  const png = await makePng({ ...size, depth: 8, colourType: 2, pixel: () => colour })
  return concat(png.subarray(0, 33), chunk('iCCP', profile), png.subarray(33))
}

const compressed = async (icc: Uint8Array<ArrayBuffer>) => concat(ascii('a profile\0\0'), await deflate(icc))

/** A lossless WebP in the extended format, which has the profile before the pixels. */
async function webpOf(colour: Colour, icc: Uint8Array): Promise<Uint8Array> {
  const pixels = (await encodeWebp(plain(colour), true)).subarray(12)
  const chunkOf = (name: string, body: Uint8Array) => {
    const length = new Uint8Array(4)
    new DataView(length.buffer).setUint32(0, body.length, true)
    return concat(ascii(name), length, body, new Uint8Array(body.length % 2))
  }
  const extent = Uint8Array.of(0x20, 0, 0, 0, size.width - 1, 0, 0, size.height - 1, 0, 0)
  return chunkOf('RIFF', concat(ascii('WEBP'), chunkOf('VP8X', extent), chunkOf('ICCP', icc), pixels))
}

/** The colour in the middle, in sRGB. */
async function colourOf(file: Uint8Array): Promise<readonly number[]> {
  const { picture } = await decodePicture(file, 64)
  const at = (32 * picture.width + 32) * 4
  return [...picture.data.subarray(at, at + 3)]
}

const distance = (actual: readonly number[], expected: readonly number[]) =>
  Math.max(...actual.map((value, channel) => Math.abs(value - expected[channel]!)))

describe('the colours of a picture with a profile', () => {
  // By LittleCMS 2.14, relative colorimetric.
  it.each([
    ['Display P3', displayP3, [200, 60, 50], [217, 42, 39]],
    ['Display P3', displayP3, [90, 160, 120], [61, 162, 117]],
    ['Display P3', displayP3, [60, 80, 180], [54, 81, 187]],
    ['Adobe RGB', adobeRgb, [200, 60, 50], [231, 57, 46]],
    ['Adobe RGB', adobeRgb, [60, 80, 180], [46, 79, 184]],
    ['Adobe RGB', adobeRgb, [128, 128, 128], [129, 129, 129]],
  ] as const)('are converted from %s to sRGB in every format', async (_, profile, stored, expected) => {
    const icc = makeProfile(profile)
    expect(distance(await colourOf(jpegOf(stored, icc)), expected)).toBeLessThan(5)
    expect(distance(await colourOf(await pngOf(stored, await compressed(icc))), expected)).toBeLessThan(3)
    expect(distance(await colourOf(await webpOf(stored, icc)), expected)).toBeLessThan(3)
  })

  it('are nearest by channel where sRGB cannot show them', async () => {
    expect(await colourOf(await pngOf([0, 255, 0], await compressed(makeProfile(displayP3))))).toEqual([0, 255, 0])
  })

  it('stay as they are to the bit where the profile is one of sRGB', async () => {
    const icc = await compressed(makeProfile(srgb))
    for (const colour of [
      [1, 2, 3],
      [200, 60, 50],
      [254, 128, 7],
    ] as const)
      expect(await colourOf(await pngOf(colour, icc))).toEqual(colour)
  })

  it.each([
    ['an exponent', gammaCurve(2), 137],
    ['a straight line', parametricCurve(0, [1]), 188],
    ['a table', tableCurve([0, 0.25, 1]), 137],
    ['a power above a threshold', parametricCurve(1, [1, 2, -0.5]), 188],
    ['a power, raised', parametricCurve(2, [1, 0.5, 0, 0.5]), 225],
    ['a power and a line, raised', parametricCurve(4, [1, 0.5, 0.25, 0.2, 0.25, 0.25, 0.1]), 225],
  ] as const)('follow a curve that is %s', async (_, curve, expected) => {
    const icc = makeProfile({ ...srgb, curve })
    const [grey = 0] = await colourOf(await pngOf([128, 128, 128], await compressed(icc)))
    expect(Math.abs(grey - expected)).toBeLessThan(3)
  })
})

describe('a profile that is not understood changes nothing', () => {
  const stored = [200, 60, 50] as const
  const icc = makeProfile(displayP3)
  const altered = (at: number, text: string) => {
    const copy = icc.slice()
    copy.set(ascii(text), at)
    return copy
  }

  it.each([
    ['of CMYK', altered(16, 'CMYK')],
    ['by tables of Lab', altered(20, 'Lab ')],
    ['without its signature', altered(36, 'none')],
    ['without a curve', altered(132 + 3 * 12, 'zTRC')],
    ['whose white is green', makeProfile({ ...displayP3, columns: [0, 1, 0].map((y) => [0.3, y, 0.3]) })],
    ['with a curve of another kind', makeProfile({ ...displayP3, curve: parametricCurve(9, [2.4]) })],
    ['that is empty', new Uint8Array()],
  ])('%s', async (_, profile) => {
    expect(await colourOf(await pngOf(stored, await compressed(profile)))).toEqual(stored)
  })

  it('of which a part is missing, wherever it ends', () => {
    for (let length = 0; length < icc.length; length++) expect(readProfile(icc.subarray(0, length))).toBeUndefined()
  })

  it('that is not compressed, or becomes too long', async () => {
    const long = new Uint8Array(20_000_000)
    long.set(icc)
    for (const body of [icc, ascii('no end'), new Uint8Array(), await compressed(long)])
      expect(await colourOf(await pngOf(stored, body))).toEqual(stored)
  })
})
