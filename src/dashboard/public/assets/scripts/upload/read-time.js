/* Reads a JPEG's EXIF time: https://www.cipa.jp/std/documents/e/DC-X008-Translation-2019-E.pdf */

/** EXIF data comes at the beginning of a file, before the pixels. */
const maxBytes = 128 * 1024

const exifPointer = 0x8769
const [timeTag, fractionTag] = [0x9003, 0x9291]

/** Returns the time of the camera's clock in ms, or null if the file has none. */
export async function readTime(file) {
  try {
    return parseTime(new DataView(await file.slice(0, maxBytes).arrayBuffer()))
  } catch {
    // The EXIF data is truncated, or its offsets are invalid.
    return null
  }
}

function parseTime(view) {
  if (view.getUint16(0) !== 0xffd8) return null
  for (let at = 2; view.getUint8(at) === 0xff && view.getUint8(at + 1) !== 0xda; at += 2 + view.getUint16(at + 2))
    if (view.getUint16(at) === 0xffe1 && view.getUint32(at + 4) === 0x45786966) return readExif(view, at + 10)
  return null
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
