import { describe, expect, it } from 'vitest'
import { decodePicture, openPicture } from '../../../src/vision/image/decode-picture.ts'
import { encodeJpeg } from '../../../src/vision/image/encode-jpeg.ts'
import { PictureError } from '../../../src/vision/picture-error.ts'

const size = { width: 64, height: 48 }
const jpeg = encodeJpeg({ ...size, data: new Uint8ClampedArray(64 * 48 * 4).fill(200) })
const indexOf = (marker: number) => jpeg.findIndex((byte, at) => byte === 0xff && jpeg[at + 1] === marker)
const frame = indexOf(0xc0)
const scan = indexOf(0xda)
const scanLength = jpeg.length - 2 - scan

/** The JPEG with `bytes` in front of the segment that starts at `offset`. */
function insert(offset: number, bytes: readonly number[]): Uint8Array {
  return Uint8Array.from([...jpeg.subarray(0, offset), ...bytes, ...jpeg.subarray(offset)])
}

async function refusal(bytes: Uint8Array): Promise<string> {
  try {
    await decodePicture(bytes, 1280)
  } catch (error) {
    if (error instanceof PictureError) return error.message
    throw error
  }
  return 'decoded'
}

describe('the marker segments of a JPEG', () => {
  it('are counted up to the real end marker, past one inside a comment', async () => {
    const scans = Array.from({ length: 3000 }, () => [...jpeg.subarray(scan, scan + scanLength)]).flat()
    const comment = [0xff, 0xfe, 0, 4, 0xff, 0xd9]
    expect(await refusal(insert(scan, [...comment, ...scans]))).toBe('The JPEG image has more than 50 scans.')
    expect(await refusal(insert(scan, comment))).toBe('decoded')
  })

  it('are counted when their scans are separated by restart markers and stuffed bytes', async () => {
    const coded = [0xff, 0x00, 0xff, 0xd0, 0xff, 0xff, 0xd7, 0x12]
    const scans = Array.from({ length: 51 }, () => [...jpeg.subarray(scan, scan + 14), ...coded]).flat()
    expect(await refusal(insert(scan, scans))).toBe('The JPEG image has more than 50 scans.')
  })

  it.each([
    ['TEM', [0xff, 0x01]],
    ['RST0', [0xff, 0xd0]],
    ['a stuffed FF', [0xff, 0x00]],
    ['a byte', [0x00]],
    ['many bytes', [...Array.from({ length: 300 }, (_, at) => at % 255), 0xff, 0xff]],
  ])('are found past %s between any two of them, as by libjpeg', async (_, bytes) => {
    const plain = (await decodePicture(jpeg, 1280)).picture
    const starts: number[] = []
    for (let at = indexOf(0xe0); at < scan; at += 2 + (jpeg[at + 2]! << 8) + jpeg[at + 3]!) starts.push(at)
    expect(starts.length).toBeGreaterThan(3)
    // The first marker tells the format.
    for (const start of [...starts.slice(1), scan]) {
      const { picture } = await decodePicture(insert(start, bytes), 1280)
      expect(picture.data.join() === plain.data.join()).toBe(true)
    }
  })

  it.each([
    ['a second SOI', [0xff, 0xd8]],
    ['a reserved marker', [0xff, 0x02, 0, 4, 0, 0]],
  ])('are refused with %s before the frame', async (_, bytes) => {
    expect(await refusal(insert(frame, bytes))).toBe('The JPEG image is damaged: its header cannot be read.')
  })

  it('cannot hide a larger frame behind a marker that the decoder does not skip', async () => {
    // To a reader that gives FF 01 a length, the large frame is its content and the small one counts.
    const large = [0xff, 0xc0, 0, 17, 8, 0xff, 0xff, 0xff, 0xff, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1]
    expect(await refusal(insert(frame, [0xff, 0x01, 0, 23, ...large]))).toMatch(/damaged/)
    expect(await refusal(insert(frame, large))).toMatch(/damaged/)
  })

  it('are refused when there are millions of them', async () => {
    const comments = new Uint8Array(4 * 1_000_000).map((_, at) => [0xff, 0xfe, 0, 2][at % 4] ?? 0)
    const file = new Uint8Array(jpeg.length + comments.length)
    file.set(jpeg.subarray(0, frame))
    file.set(comments, frame)
    file.set(jpeg.subarray(frame), frame + comments.length)
    expect(await refusal(file)).toBe('The JPEG image has more than 4096 marker segments.')
  })

  it.each([0xc3, 0xc5, 0xc9, 0xca, 0xcf])('are refused with a frame of the uncommon kind %i', async (marker) => {
    const other = jpeg.slice()
    other[frame + 1] = marker
    expect(await refusal(other)).toBe(
      'Only baseline and progressive JPEG images of 8 bits are supported; save it as one of these.',
    )
  })

  it('may be padded with further FF bytes', () => {
    expect(openPicture(insert(frame, [0xff, 0xff, 0xff]))).toMatchObject(size)
  })
})
