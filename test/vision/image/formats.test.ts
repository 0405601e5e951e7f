import { describe, expect, it } from 'vitest'
import { findFormat, formatNames, getFormat, pictureFormats } from '../../../src/vision/image/formats.ts'

/** A file that starts with these characters, each of which is one byte, and is longer than any signature. */
function fileOf(start: string, length = 1000): Uint8Array {
  const bytes = new Uint8Array(length).fill(0x2e)
  bytes.set(Array.from(start, (character) => character.charCodeAt(0)))
  return bytes
}

/** A box `ftyp` of 32 bytes with a main brand and compatible ones. */
const boxed = (...brands: readonly string[]) => `\0\0\0\x20ftyp${brands[0]}\0\0\0\0${brands.join('').padEnd(16, '\0')}`

const sentenceOf = (start: string) => {
  try {
    return getFormat(fileOf(start)).name
  } catch (error) {
    return (error as Error).message
  }
}

describe('the format of a picture', () => {
  it('is told from the first bytes', () => {
    expect(['\xff\xd8\xff', '\x89PNG\r\n\x1a\n', 'RIFF\0\0\0\0WEBP'].map(sentenceOf)).toEqual(['JPEG', 'PNG', 'WebP'])
    expect(formatNames).toBe('JPEG, PNG or WebP')
  })

  it('is told by one entry each', () => {
    for (const format of pictureFormats) expect(format.contentType).toMatch(/^image\/[a-z]+$/)
    expect(findFormat(new Uint8Array(0))).toBeUndefined()
  })

  it.each([
    ['a HEIC file', boxed('heic', 'mif1', 'heic')],
    ['a HEIC file', boxed('mif1', 'mif1', 'heic')],
    ['a HEIF file', boxed('mif1', 'mif1')],
    ['an AVIF file', boxed('avif', 'mif1')],
    ['an AVIF file', boxed('mif1', 'avif')],
    ['a camera raw file', boxed('crx ', 'isom')],
    ['a video file', boxed('qt  ')],
    ['a video file', boxed('isom', 'mp42')],
    ['a video file', 'RIFF\0\0\0\0AVI LIST'],
    ['a video file', '\x1a\x45\xdf\xa3'],
    ['a GIF file', 'GIF87a'],
    ['a TIFF or camera raw file', 'II*\0\x08\0\0\0'],
    ['a TIFF or camera raw file', 'MM\0*\0\0\0\x08'],
    ['a camera raw file', 'II*\0\x10\0\0\0CR\x02\0'],
    ['a camera raw file', 'FUJIFILMCCD-RAW 0201'],
    ['a BMP file', 'BM....\0\0\0\0\x36\0\0\0\x28\0\0\0'],
    ['an ICO file', '\0\0\x01\0\x01\0'],
    ['a PDF file', '%PDF-1.7'],
    ['a PSD file', '8BPS\0\x01'],
    ['an SVG file', '<svg xmlns="http://www.w3.org/2000/svg">'],
    ['an SVG file', '\xef\xbb\xbf<?xml version="1.0"?>\n<!-- a drawing -->\n<svg>'],
    ['an SVG file', '<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "svg11.dtd" ['],
    ['a JPEG XL file', '\xff\x0a'],
    ['a JPEG XL file', '\0\0\0\x0cJXL \r\n\x87\n'],
    ['a JPEG 2000 file', '\0\0\0\x0cjP  \r\n\x87\n'],
  ])('is named where it is not supported: %s', (name, start) => {
    expect(sentenceOf(start)).toBe(`The image is ${name}, which is not supported; save it as JPEG, PNG or WebP.`)
  })

  it.each([
    '<!DOCTYPE html><html>',
    '\n <html lang="en">',
    '<!-- cached --> <!doctype html>',
    '<?xml version="1.0"?>\n<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN">',
    '<script>location = "/login"</script>',
  ])('is not that of a web page: %s', (start) =>
    expect(sentenceOf(start)).toBe('The image is not a JPEG, PNG or WebP file, but a web page.'),
  )

  it.each(['BMW is no bitmap', 'RIFF\0\0\0\0WAVE', 'hello', '<?xml version="1.0"?><rss>', ''])(
    'is unknown where nothing is recognised: %j',
    (start) => expect(sentenceOf(start)).toBe('The image is not a JPEG, PNG or WebP file.'),
  )

  it('needs no more than the bytes that are there', () => {
    for (const start of [boxed('heic'), 'BM....\0\0\0\0\x36\0\0\0\x28\0\0\0', '<svg', '<html>']) {
      for (let length = 1; length < start.length; length++)
        expect(() => getFormat(fileOf(start).subarray(0, length))).toThrow(/^The image is .*\.$/)
    }
  })
})
