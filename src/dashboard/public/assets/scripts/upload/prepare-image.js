/*
 * Converts pictures to what the service accepts. Scales large pictures down, so that photographs need no preparation.
 */
import { stemOf } from '../page-parts.js'

const maxBytes = 20 * 1024 * 1024
const maxPixels = 12_500_000
const maxBaselinePixels = 50_000_000
/** Maximum for WebP, which may be lossless. */
const maxWebpPixels = 6_250_000
const maxEdge = 20_000

/** Target size. Sharp enough for every measurement, at a fraction of the bytes. */
const scaledPixels = 8_000_000
const jpegQuality = 0.9

const startsWith = (bytes, text, at = 0) => [...text].every((letter, i) => bytes[at + i] === letter.charCodeAt(0))

/** A studio's scale applies to its camera's original pixels. */
const studioAdvice =
  'It would have to be scaled down, and the scale of its Studio would then be wrong. Save it in the same size as a ' +
  'baseline JPEG of at most 50 megapixels and 20 MiB.'

/**
 * Returns the maximum pixels for this file format, or 0 if it is not accepted. Reads the first bytes, because a file's
 * name and type may be wrong.
 */
async function pixelsTaken(file, start) {
  if (startsWith(start, '\xff\xd8\xff')) return (await isBaseline(file)) ? maxBaselinePixels : maxPixels
  if (startsWith(start, '\x89PNG\r\n\x1a\n')) return maxPixels
  return startsWith(start, 'RIFF') && startsWith(start, 'WEBP', 8) ? maxWebpPixels : 0
}

/** Returns true if a JPEG's frame is baseline (SOF0 or SOF1). The frame comes before the first scan. */
async function isBaseline(file) {
  for (let at = 2; ;) {
    const [first, marker, high, low] = new Uint8Array(await file.slice(at, at + 4).arrayBuffer())
    if (first !== 0xff || marker === 0xc2 || marker === 0xda) return false
    if (marker === 0xc0 || marker === 0xc1) return true
    at += 2 + high * 256 + low
  }
}

/** Returns true for HEIC, by the file's first brand. AVIF files begin with another brand. */
const isHeic = (bytes) =>
  startsWith(bytes, 'ftyp', 4) && ['hei', 'hev', 'mif1', 'msf1'].some((brand) => startsWith(bytes, brand, 8))

/**
 * Returns the upright `bitmap` and `finish`, which completes a JPEG of the bitmap. Returns null if the file cannot be
 * opened.
 */
async function openPicture(file, start) {
  // The browser applies the EXIF orientation and converts to sRGB.
  const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' }).catch(() => null)
  if (bitmap !== null) return { bitmap, finish: (jpeg) => jpeg }
  if (!isHeic(start)) return null
  const { openHeic } = await import('./open-heic.js')
  return await openHeic(file)
}

/** Opens a file as `openPicture` does. */
export const openFile = async (file) => await openPicture(file, await startOf(file))

const startOf = async (file) => new Uint8Array(await file.slice(0, 12).arrayBuffer())

let last = Promise.resolve()

/**
 * Returns the `file` to upload: unchanged if the service accepts it, or else converted to an upright JPEG that is small
 * enough. Returns a `problem` if this browser cannot open the file, or if a studio's photograph would have to be scaled
 * down. Prepares one file at a time, because an open picture takes hundreds of MB.
 */
export function prepareImage(file, hasStudio) {
  const prepared = last.then(async () => await prepare(file, hasStudio))
  last = prepared.catch(() => {})
  return prepared
}

async function prepare(file, hasStudio) {
  if (file.size === 0) return { problem: 'The file is empty. Choose it again, or leave it out.' }
  const start = await startOf(file)
  const taken = await pixelsTaken(file, start)
  const opened = await openPicture(file, start)
  if (opened === null) {
    if (taken === 0) return { problem: 'This browser cannot open the file. Save it as JPEG and choose it again.' }
    return file.size > maxBytes ? { problem: 'The file has more than 20 MiB. Save it smaller, as JPEG.' } : { file }
  }
  const { bitmap, finish } = opened
  try {
    const { width, height } = bitmap
    const fits = width * height <= taken && Math.max(width, height) <= maxEdge && file.size <= maxBytes
    if (fits) return { file }
    const scale = Math.min(1, Math.sqrt(scaledPixels / (width * height)), maxEdge / Math.max(width, height))
    if (hasStudio && scale < 1) return { problem: studioAdvice }
    const content = finish(await toJpeg(bitmap, scale))
    return { file: new File([content], `${stemOf(file.name)}.jpg`, { type: 'image/jpeg' }) }
  } finally {
    bitmap.close()
  }
}

async function toJpeg(picture, scale) {
  const { width, height } = picture
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(width * scale))
  canvas.height = Math.max(1, Math.round(height * scale))
  const context = canvas.getContext('2d')
  context.imageSmoothingQuality = 'high'
  // JPEG has no transparency. Transparent areas would become black.
  context.fillStyle = 'white'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.drawImage(picture, 0, 0, canvas.width, canvas.height)
  return await new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', jpegQuality))
}
