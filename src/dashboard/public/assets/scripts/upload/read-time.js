/*
 * Reads the EXIF time of a JPEG or HEIC file: https://www.cipa.jp/std/documents/e/DC-X008-Translation-2019-E.pdf. A
 * HEIC file's box `meta` lists where its EXIF data is: ISO/IEC 14496-12.
 */

/** A JPEG's EXIF data and a HEIC file's list come at the beginning of a file, before the pixels. */
const maxBytes = 128 * 1024

const exifPointer = 0x8769
const [timeTag, fractionTag] = [0x9003, 0x9291]

/** Returns the time of the camera's clock in ms, or null if the file has none. */
export async function readTime(file) {
  try {
    const view = await viewOf(file, 0, maxBytes)
    if (view.getUint16(0) === 0xffd8) return readJpeg(view)
    return nameAt(view, 4) === 'ftyp' ? await readHeic(file, view) : null
  } catch {
    // The EXIF data is truncated, or its offsets are invalid.
    return null
  }
}

const viewOf = async (file, start, length) => new DataView(await file.slice(start, start + length).arrayBuffer())

function readJpeg(view) {
  for (let at = 2; view.getUint8(at) === 0xff && view.getUint8(at + 1) !== 0xda; at += 2 + view.getUint16(at + 2))
    if (view.getUint16(at) === 0xffe1 && view.getUint32(at + 4) === 0x45786966) return readExif(view, at + 10)
  return null
}

const nameAt = (view, at) => String.fromCharCode(...[0, 1, 2, 3].map((i) => view.getUint8(at + i)))

/** Finds a box by its name between two positions. Returns where its content starts and ends. */
function findBox(view, name, start, end) {
  for (let at = start; at + 8 <= end; at += view.getUint32(at)) {
    if (nameAt(view, at + 4) === name) return { start: at + 8, end: at + view.getUint32(at) }
    if (view.getUint32(at) < 8) break
  }
  throw new Error(`There is no box ${name}`)
}

async function readHeic(file, view) {
  // The first four bytes of these boxes are their version and flags.
  const meta = findBox(view, 'meta', 0, view.byteLength)
  const id = findExifId(view, findBox(view, 'iinf', meta.start + 4, meta.end))
  const place = findPlace(view, findBox(view, 'iloc', meta.start + 4, meta.end), id)
  const exif = await viewOf(file, place.offset, Math.min(place.length, maxBytes))
  return readExif(exif, 4 + exif.getUint32(0))
}

function findExifId(view, { start, end }) {
  for (let at = start + (view.getUint8(start) === 0 ? 6 : 8); at + 8 <= end; at += view.getUint32(at)) {
    const isWide = view.getUint8(at + 8) === 3
    if (nameAt(view, at + (isWide ? 18 : 16)) === 'Exif')
      return isWide ? view.getUint32(at + 12) : view.getUint16(at + 12)
  }
  throw new Error('There is no EXIF data')
}

/** Finds an item's first part in the file. The list's fields have the sizes that its header states. */
function findPlace(view, { start }, wantedId) {
  let at = start
  const read = (bytes) => {
    let value = 0
    for (let i = 0; i < bytes; i++) value = value * 256 + view.getUint8(at++)
    return value
  }
  const version = read(1)
  at += 3
  const [sizes, more] = [read(1), read(1)]
  const [offsetBytes, lengthBytes, baseBytes, indexBytes] = [
    sizes >> 4,
    sizes & 15,
    more >> 4,
    version > 0 ? more & 15 : 0,
  ]
  for (let left = read(version < 2 ? 2 : 4); left > 0; left--) {
    const id = read(version < 2 ? 2 : 4)
    at += version > 0 ? 4 : 2
    const base = read(baseBytes)
    for (let parts = read(2); parts > 0; parts--) {
      at += indexBytes
      const place = { offset: base + read(offsetBytes), length: read(lengthBytes) }
      if (id === wantedId) return place
    }
  }
  throw new Error('The EXIF data has no place')
}

function readExif(view, start) {
  const isLittle = view.getUint16(start) === 0x4949
  const u16 = (at) => view.getUint16(start + at, isLittle)
  const u32 = (at) => view.getUint32(start + at, isLittle)
  /** Finds the position of a tag's value in a directory. */
  const find = (directory, tag) => {
    for (let entry = directory + 2; entry < directory + 2 + 12 * u16(directory); entry += 12)
      if (u16(entry) === tag) return entry
    return null
  }
  const textOf = (entry) => {
    if (entry === null) return ''
    const length = u32(entry + 4)
    const at = length <= 4 ? entry + 8 : u32(entry + 8)
    return String.fromCharCode(...Array.from({ length: Math.min(length, 32) }, (_, i) => view.getUint8(start + at + i)))
  }
  const pointer = find(u32(4), exifPointer)
  if (pointer === null) return null
  const directory = u32(pointer + 8)
  const parts = /^(\d{4}):(\d\d):(\d\d) (\d\d):(\d\d):(\d\d)/.exec(textOf(find(directory, timeTag)))
  if (parts === null) return null
  const [year, month, ...rest] = parts.slice(1).map(Number)
  const fraction = Number(`0.${/^\d+/.exec(textOf(find(directory, fractionTag)))?.[0] ?? 0}`)
  return Date.UTC(year, month - 1, ...rest) + Math.round(fraction * 1000)
}
