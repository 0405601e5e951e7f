/* What the service takes. A larger picture is scaled down here, so that a camera's photographs need no preparation. */
const maxBytes = 20 * 1024 * 1024
const maxPixels = 12_500_000
/** Of a WebP, which may be lossless. */
const maxWebpPixels = 6_250_000
const maxEdge = 20_000

/** Sharp enough for every measurement, and a fraction of the bytes. */
const scaledPixels = 8_000_000
const jpegQuality = 0.9

const startsWith = (bytes, text, at = 0) => [...text].every((letter, i) => bytes[at + i] === letter.charCodeAt(0))

/** What phones write that few browsers open, by the names of its brands. */
const isHeic = (bytes) =>
  startsWith(bytes, 'ftyp', 4) && ['hei', 'hev', 'mif1', 'msf1'].some((brand) => startsWith(bytes, brand, 8))

const heicAdvice =
  'A HEIC file, which this browser cannot open. Upload it in Safari, or save it as JPEG; an iPhone takes JPEGs with ' +
  'Settings, Camera, Formats, Most Compatible.'

/** How many pixels the service takes of a file of this kind, by its first bytes: its name and type may be wrong. */
function pixelsTaken(bytes) {
  if (startsWith(bytes, '\xff\xd8\xff') || startsWith(bytes, '\x89PNG\r\n\x1a\n')) return maxPixels
  return startsWith(bytes, 'RIFF') && startsWith(bytes, 'WEBP', 8) ? maxWebpPixels : 0
}

let last = Promise.resolve()

/**
 * Gives the file to send: itself if the service takes it as it is, else a JPEG of it, upright and small enough, if this
 * browser can open it. Gives a `problem` otherwise. One after the other, since an open picture takes hundreds of MB.
 */
export function prepareImage(file) {
  const prepared = last.then(async () => await prepare(file))
  last = prepared.catch(() => {})
  return prepared
}

async function prepare(file) {
  if (file.size === 0) return { problem: 'The file is empty.' }
  const start = new Uint8Array(await file.slice(0, 12).arrayBuffer())
  const taken = pixelsTaken(start)
  // Turned as its EXIF orientation says.
  const picture = await createImageBitmap(file, { imageOrientation: 'from-image' }).catch(() => null)
  if (picture === null) {
    if (isHeic(start)) return { problem: heicAdvice }
    if (taken === 0) return { problem: 'Must be a JPEG, PNG or WebP file. This browser cannot open it to convert it.' }
    return file.size > maxBytes ? { problem: 'The file may have at most 20 MiB.' } : { file }
  }
  try {
    const { width, height } = picture
    const fits = width * height <= taken && Math.max(width, height) <= maxEdge && file.size <= maxBytes
    return { file: fits ? file : await toJpeg(picture, file.name) }
  } finally {
    picture.close()
  }
}

async function toJpeg(picture, name) {
  const { width, height } = picture
  const scale = Math.min(1, Math.sqrt(scaledPixels / (width * height)), maxEdge / Math.max(width, height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(width * scale))
  canvas.height = Math.max(1, Math.round(height * scale))
  const context = canvas.getContext('2d')
  context.imageSmoothingQuality = 'high'
  // JPEG has no transparency, which would become black.
  context.fillStyle = 'white'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.drawImage(picture, 0, 0, canvas.width, canvas.height)
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', jpegQuality))
  return new File([blob], `${name.replace(/(.)\.[^.]*$/, '$1')}.jpg`, { type: 'image/jpeg' })
}
