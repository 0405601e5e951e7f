import { createByteSource, hasAscii, readAscii } from './read-bytes.ts'
import { PictureError } from '../picture-error.ts'
import { jpegFormat } from './jpeg.ts'
import type { PictureFormat } from './picture-format.ts'
import { pngFormat } from './png.ts'
import { webpFormat } from './webp.ts'

export function findUnsupportedFormat(start: Uint8Array): string | undefined {
  return isoMediaFormat(start) ?? signatures.find(([, matches]) => matches(start))?.[0]
}

type Signature = readonly [name: string, matches: (start: Uint8Array) => boolean]

const startsWith =
  (...texts: readonly string[]) =>
  (start: Uint8Array) =>
    texts.some((text) => hasAscii(start, 0, text))

/** The first match wins, because many raw files begin like TIFF. */
const signatures: readonly Signature[] = [
  ['GIF', startsWith('GIF87a', 'GIF89a')],
  ['JPEG XL', startsWith('\xff\x0a', '\0\0\0\x0cJXL \r\n\x87\n')],
  ['JPEG 2000', startsWith('\xff\x4f\xff\x51', '\0\0\0\x0cjP  \r\n\x87\n')],
  ['PDF', startsWith('%PDF-')],
  ['PSD', startsWith('8BPS')],
  ['ICO', startsWith('\0\0\x01\0')],
  ['BMP', isBmp],
  ['camera raw', isCameraRaw],
  ['TIFF or camera raw', startsWith('II*\0', 'MM\0*', 'II+\0', 'MM\0+')],
  ['video', isVideo],
  ['SVG', isSvg],
  ['HTML', isHtml],
]

/** Formats by brand of the ISO base media format (ISO 14496-12). */
const brands: Readonly<Record<string, string>> = {
  avif: 'AVIF',
  avis: 'AVIF',
  heic: 'HEIC',
  heix: 'HEIC',
  heim: 'HEIC',
  heis: 'HEIC',
  hevc: 'HEIC',
  hevx: 'HEIC',
  'crx ': 'camera raw',
  mif1: 'HEIF',
  msf1: 'HEIF',
}

/** Uses the main or a compatible brand, because `mif1` only means a still picture. Other brands are videos. */
function isoMediaFormat(start: Uint8Array): string | undefined {
  if (!hasAscii(start, 4, 'ftyp')) return undefined
  const boxLength = new DataView(start.buffer, start.byteOffset, start.byteLength).getUint32(0)
  const names: string[] = []
  for (let offset = 8; offset + 4 <= Math.min(boxLength, start.length); offset += 4) {
    const name = offset === 12 ? undefined : brands[readAscii(start, offset, 4)]
    if (name !== undefined) names.push(name)
  }
  return names.find((name) => name !== 'HEIF') ?? names[0] ?? 'video'
}

function isBmp(start: Uint8Array): boolean {
  if (!hasAscii(start, 0, 'BM') || start.length < 18) return false
  return [12, 40, 52, 56, 64, 108, 124].includes(
    start[14]! | (start[15]! << 8) | (start[16]! << 16) | (start[17]! << 24),
  )
}

/** Recognises raw files that do not begin like TIFF: Canon, Fujifilm, Olympus, Panasonic and Sigma. */
function isCameraRaw(start: Uint8Array): boolean {
  return hasAscii(start, 8, 'CR\x02') || startsWith('FUJIFILMCCD-RAW', 'IIRO', 'IIRS', 'MMOR', 'IIU\0', 'FOVb')(start)
}

/** Recognises AVI and Matroska. `isoMediaFormat` recognises other videos. */
function isVideo(start: Uint8Array): boolean {
  return hasAscii(start, 8, 'AVI ') || hasAscii(start, 0, '\x1a\x45\xdf\xa3')
}

/** After Illustrator's long entity declarations, the `svg` element may lie beyond `start`. */
function isSvg(start: Uint8Array): boolean {
  const text = toText(start)
  return text.startsWith('<svg') || (/^<(\?xml|!--|!doctype svg)/.test(text) && /<(svg|!doctype svg)/.test(text))
}

function isHtml(start: Uint8Array): boolean {
  return /^(<\?xml[^>]*>\s*)?(<!--.*?-->\s*)*<(!doctype html|html|head|body|meta|script|title)\b/s.test(toText(start))
}

function toText(start: Uint8Array): string {
  return new TextDecoder().decode(start).trimStart().toLowerCase()
}

export const pictureFormats: readonly PictureFormat[] = [jpegFormat, pngFormat, webpFormat]

export const contentTypes = pictureFormats.map(({ contentType }) => contentType)

export const formatNames = pictureFormats
  .map(({ name }) => name)
  .join(', ')
  .replace(/, (?=\w+$)/, ' or ')

export const supportedSignatureBytes = 12

/** Enough bytes to recognise unsupported formats too. */
export const signatureBytes = 512

/** Detects the format from the first `supportedSignatureBytes`, because declared content types are often wrong. */
export function findFormat(start: Uint8Array): PictureFormat | undefined {
  return pictureFormats.find(({ matches }) => matches(start))
}

/** Returns the format of a file. Throws `PictureError`, which names the common unsupported formats. */
export function getFormat(bytes: Uint8Array): PictureFormat {
  const start = bytes.subarray(0, signatureBytes)
  const format = findFormat(start)
  if (format !== undefined) return format
  const unsupported = findUnsupportedFormat(start)
  if (unsupported === undefined) throw new PictureError('unknown_format', { formats: formatNames })
  if (unsupported === 'HTML') throw new PictureError('web_page', { formats: formatNames })
  throw new PictureError('unsupported_format', { format: unsupported, formats: formatNames })
}

/** Removes metadata except the orientation from an arriving picture. Yields nothing for an unknown content type. */
export function eraseMetadata(picture: ReadableStream<Uint8Array>, contentType: string): ReadableStream<Uint8Array> {
  const format = pictureFormats.find((each) => each.contentType === contentType)
  const pieces = format?.erase(createByteSource(picture))
  return new ReadableStream({
    async pull(controller) {
      for (;;) {
        const next = await pieces?.next()
        if (next === undefined || next.done === true) {
          controller.close()
          return
        }
        if (next.value.length === 0) continue
        controller.enqueue(next.value)
        return
      }
    },
    async cancel() {
      await pieces?.return(undefined)
    },
  })
}
