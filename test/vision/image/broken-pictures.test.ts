import { describe, expect, it } from 'vitest'
import { PictureError } from '../../../src/vision/picture-error.ts'
import { decodePicture } from '../../../src/vision/image/decode-picture.ts'
import { encodeJpeg } from '../../../src/vision/image/encode-jpeg.ts'
import { tagPicture } from '../../../src/vision/tag-picture.ts'
import type { Picture } from '../../../src/vision/picture.ts'
import { makeFlatLay } from '../../../training/flat-lay/make-flat-lay.ts'
import { createRandom } from '../../../training/flat-lay/random.ts'
import { encodeWebp } from '../../fixtures/pictures/encode-webp.ts'
import { makeCmykJpeg } from '../../fixtures/pictures/make-cmyk-jpeg.ts'
import { makePng } from '../../fixtures/pictures/make-png.ts'

const { picture: garment } = makeFlatLay(3, {
  itemType: 'T-Shirt',
  colour: 'Navy',
  pattern: 'Plain',
  width: 240,
  height: 320,
})
const jpeg = encodeJpeg(garment, 85)

/** The sentence of the fault, or what `act` returns. Anything else that is thrown fails. */
async function orSentence(act: () => Promise<string>): Promise<string> {
  try {
    return await act()
  } catch (error) {
    if (error instanceof PictureError && /^[A-Z].*\.$/.test(error.message)) return error.message
    throw error
  }
}

const decoding = async (bytes: Uint8Array) =>
  await orSentence(async () => {
    await decodePicture(bytes, 1280)
    return 'decoded'
  })

const tagging = async (bytes: Uint8Array) =>
  await orSentence(async () => {
    const { tag } = await tagPicture(bytes, { attribute: {} })
    return `tagged ${String(tag['Item Type'])}`
  })

const picture = (
  width: number,
  height: number,
  pixel: (index: number) => readonly [number, number, number],
): Picture => {
  const data = new Uint8ClampedArray(width * height * 4)
  for (let index = 0; index < width * height; index++) data.set([...pixel(index), 255], index * 4)
  return { width, height, data }
}

const png = async () =>
  await makePng({
    width: 240,
    height: 320,
    colourType: 2,
    depth: 8,
    pixel: (x, y) => [...garment.data.subarray((y * 240 + x) * 4, (y * 240 + x) * 4 + 3)],
  })

const webp = async () => await encodeWebp(garment)

describe('a broken or odd picture', () => {
  it.each(['jpeg', 'png', 'webp'] as const)('is refused when a %s file is cut off at any tenth', async (format) => {
    const whole = format === 'jpeg' ? jpeg : format === 'png' ? await png() : await webp()
    expect(await decoding(whole)).toBe('decoded')
    for (let tenth = 0; tenth < 10; tenth++) {
      expect(await decoding(whole.subarray(0, Math.floor((whole.length * tenth) / 10)))).toMatch(
        /cut off|empty|not a JPEG/,
      )
    }
  })

  it('is refused when it is something else', async () => {
    const unsupported = 'which is not supported; save it as JPEG, PNG or WebP.'
    for (const [text, sentence] of [
      ['<html></html>', 'The image is not a JPEG, PNG or WebP file, but a web page.'],
      ['GIF89a.......................................', `The image is a GIF file, ${unsupported}`],
      ['%PDF-1.7', `The image is a PDF file, ${unsupported}`],
      ['\0\0\0 ftypavif....................', `The image is an AVIF file, ${unsupported}`],
      ['These are no pixels.', 'The image is not a JPEG, PNG or WebP file.'],
    ] as const) {
      expect(await decoding(new TextEncoder().encode(text))).toBe(sentence)
    }
  })

  it('may have bytes after its end', async () => {
    expect(await decoding(Uint8Array.from([...jpeg, 0, 0, 1, 2, 3]))).toBe('decoded')
  })

  it('is refused when its header claims more pixels than are allowed, without being decoded', async () => {
    const huge = await png()
    new DataView(huge.buffer).setUint32(16, 60000)
    new DataView(huge.buffer).setUint32(20, 60000)
    expect(await decoding(huge)).toMatch(/3600\.0 megapixels \(60000 x 60000\); at most 12\.5/)
    const frame = jpeg.findIndex((byte, at) => byte === 0xff && jpeg[at + 1] === 0xc0)
    const wide = jpeg.slice()
    wide.set([0xff, 0xff, 0xff, 0xff], frame + 5)
    expect(await decoding(wide)).toMatch(
      /^The JPEG image has 4294\.8 megapixels \(65535 x 65535\); at most 50 are allowed in this format\.$/,
    )
  })

  it('ends in a result or a sentence when its header claims up to 12.5 megapixels that are not there', async () => {
    const tall = await png()
    new DataView(tall.buffer).setUint32(20, 20000)
    expect(await decoding(tall)).toMatch(/cut off/)
    const frame = jpeg.findIndex((byte, at) => byte === 0xff && jpeg[at + 1] === 0xc0)
    const large = jpeg.slice()
    large.set([0x0b, 0xb8, 0x0f, 0xa0], frame + 5)
    expect(await decoding(large)).toMatch(/./)
  })

  it('is refused when a PNG chunk has a wrong size or its pixels are no zlib stream', async () => {
    const sized = await png()
    new DataView(sized.buffer).setUint32(33, 0x7fffffff)
    expect(await decoding(sized)).toMatch(/cut off|wrong size/)
    const shifted = await png()
    new DataView(shifted.buffer).setUint32(33, 5)
    expect(await decoding(shifted)).toMatch(/wrong size|cut off/)
    const garbled = await png()
    garbled.fill(0xaa, 60, 400)
    expect(await decoding(garbled)).toMatch(/damaged/)
  })

  it.each([
    ['JPEG', async () => await Promise.resolve(jpeg), 2],
    ['WebP', webp, 12],
  ] as const)('ends in a result or a sentence when any byte of a %s is wrong', async (_, create, firstByte) => {
    const random = createRandom(firstByte)
    const whole = await create()
    for (let round = 0; round < 16; round++) {
      const wrong = whole.slice()
      for (let hit = 0; hit < 4; hit++)
        wrong[firstByte + Math.floor(random.next() * (wrong.length - firstByte))] = Math.floor(random.next() * 256)
      expect(await decoding(wrong)).toMatch(/./)
    }
    expect(await decoding(whole)).toBe('decoded')
  })

  it('is refused when it is an animation', async () => {
    const animated = Uint8Array.from(
      [...'RIFF', 0, 0, 0, 0, ...'WEBPVP8X', 10, 0, 0, 0, 2, 0, 0, 0, 239, 0, 0, 63, 1, 0].map((item) =>
        typeof item === 'string' ? item.charCodeAt(0) : item,
      ),
    )
    new DataView(animated.buffer).setUint32(4, animated.length - 8, true)
    expect(await decoding(animated)).toBe('Animated WebP images are not supported; save one of its pictures.')
  })

  it.each([
    [1, 4000, 192],
    [5120, 100, 192],
    [30, 30, 48],
  ])('is refused by its own size when it has only %i x %i pixels of at least %i', async (width, height, min) => {
    expect(await tagging(encodeJpeg(picture(width, height, () => [200, 30, 40])))).toBe(
      `The image is too small to tell a garment (${width} x ${height} pixels); at least ${min} on each edge are needed.`,
    )
  })

  it.each([
    ['white', [255, 255, 255]],
    ['black', [0, 0, 0]],
    ['red', [200, 20, 20]],
  ] as const)('shows no garment when it is all %s', async (_, colour) => {
    expect(await tagging(encodeJpeg(picture(400, 500, () => colour)))).toBe('No garment found in the image.')
  })

  it('shows no garment when it is noise', async () => {
    const random = createRandom(9)
    const noise = picture(400, 500, () => [random.next() * 255, random.next() * 255, random.next() * 255])
    expect(await tagging(encodeJpeg(noise, 90))).toBe('No garment found in the image.')
  })

  it('shows no garment when light only fades across it', async () => {
    const fading = picture(400, 500, (index) => [
      230 - (index % 400) / 8,
      228 - (index % 400) / 8,
      225 - (index % 400) / 8,
    ])
    expect(await tagging(encodeJpeg(fading, 90))).toBe('No garment found in the image.')
  })

  it('is tagged when it is grey, 16 bits deep, interlaced or CMYK', async () => {
    const level = (x: number, y: number) => garment.data[(y * 240 + x) * 4 + 1]!
    const size = { width: 240, height: 320 }
    expect(await tagging(await makePng({ ...size, colourType: 0, depth: 8, pixel: (x, y) => [level(x, y)] }))).toBe(
      'tagged T-Shirt',
    )
    expect(
      await tagging(
        await makePng({ ...size, colourType: 0, depth: 16, pixel: (x, y) => [level(x, y) * 257], interlaced: true }),
      ),
    ).toBe('tagged T-Shirt')
    const coarse = makeFlatLay(3, {
      itemType: 'T-Shirt',
      colour: 'Navy',
      pattern: 'Plain',
      noise: 0,
      width: 90,
      height: 120,
    }).picture
    const cmyk = makeCmykJpeg(90, 120, (column, row) => {
      const at = (row * 90 + column) * 4
      return [coarse.data[at]!, coarse.data[at + 1]!, coarse.data[at + 2]!, 255]
    })
    expect(await tagging(cmyk)).toMatch(/^tagged /)
  })
})
