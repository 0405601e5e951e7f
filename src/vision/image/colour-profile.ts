import { hasAscii, readAscii } from './read-bytes.ts'
import { yieldToEventLoop } from '../../platform/limits/yield-to-event-loop.ts'
import type { Picture } from '../picture.ts'

const fraction = 0x10000

/** Reads the linear light (0 to 1) of each value 0 to 255 from a `curv` or `para` tag (ICC.1:2022, 10.6 and 10.18). */
function readToneCurve(tag: Uint8Array | undefined): Float32Array | undefined {
  if (tag === undefined || tag.length < 12) return undefined
  const view = new DataView(tag.buffer, tag.byteOffset, tag.byteLength)
  const curve = hasAscii(tag, 0, 'curv') ? sampled(view) : hasAscii(tag, 0, 'para') ? parametric(view) : undefined
  return curve && Float32Array.from({ length: 256 }, (_, value) => Math.min(1, Math.max(0, curve(value / 255) || 0)))
}

type Curve = (value: number) => number

/** Reads a `curv` tag: no entry is the identity, one is an exponent with 8 fractional bits, more are a table. */
function sampled(view: DataView): Curve | undefined {
  const count = view.getUint32(8)
  if (12 + count * 2 > view.byteLength) return undefined
  const at = (index: number) => view.getUint16(12 + index * 2)
  if (count === 0) return (value) => value
  if (count === 1) return (value) => value ** (at(0) / 0x100)
  return (value) => {
    const position = value * (count - 1)
    const index = Math.min(count - 2, Math.floor(position))
    return (at(index) + (at(index + 1) - at(index)) * (position - index)) / 0xffff
  }
}

/** Number of parameters of each `para` type, in the order g, a, b, c, d, e, f. */
const parameterCounts = [1, 3, 4, 5, 7]

function parametric(view: DataView): Curve | undefined {
  const type = view.getUint16(8)
  const count = parameterCounts[type]
  if (count === undefined || 12 + count * 4 > view.byteLength) return undefined
  const [g = 1, a = 1, b = 0, c = 0, d = 0, e = 0, f = 0] = Array.from(
    { length: count },
    (_, index) => view.getInt32(12 + index * 4) / fraction,
  )
  // Types 1 and 2 have the threshold -b / a. Type 2 adds its fourth parameter everywhere.
  if (type === 1 || type === 2) return (value) => (value >= -b / a ? (a * value + b) ** g : 0) + c
  return (value) => (value >= d ? (a * value + b) ** g + e : c * value + f)
}

/** A matrix profile ("matrix/TRC" in ICC.1), as screens, cameras and editors use. */
interface ColourProfile {
  /** Linear light (0 to 1) for each of the 256 values, for red, green and blue. */
  readonly curves: readonly Float32Array[]
  /** Columns of the matrix from linear red, green and blue to CIE XYZ under D50. */
  readonly columns: readonly Xyz[]
}

type Xyz = readonly [x: number, y: number, z: number]

/** Matrix profiles have at most 25 kB. Longer profiles contain tables, like those of printers. */
export const maxProfileBytes = 0x10000

const maxTags = 100

const d50: Xyz = [0.9642, 1, 0.8249]

/** Reads an ICC profile (ICC.1:2022, versions 2 and 4). Returns undefined for other models and invalid profiles. */
export function readProfile(icc: Uint8Array): ColourProfile | undefined {
  if (!hasAscii(icc, 16, 'RGB XYZ ') || !hasAscii(icc, 36, 'acsp')) return undefined
  const tags = readTags(icc)
  const columns = [...'rgb'].map((name) => readXyz(tags.get(`${name}XYZ`))).filter((xyz) => xyz !== undefined)
  const curves = [...'rgb'].map((name) => readToneCurve(tags.get(`${name}TRC`))).filter((curve) => curve !== undefined)
  if (columns.length < 3 || curves.length < 3) return undefined
  const isWhite = d50.every((value, axis) => Math.abs(columns.reduce((sum, xyz) => sum + xyz[axis]!, -value)) < 0.02)
  return isWhite ? { curves, columns } : undefined
}

function readTags(icc: Uint8Array): Map<string, Uint8Array> {
  const view = new DataView(icc.buffer, icc.byteOffset, icc.byteLength)
  const tags = new Map<string, Uint8Array>()
  const end = icc.length < 132 ? 0 : 132 + 12 * Math.min(view.getUint32(128), maxTags)
  for (let entry = 132; entry + 12 <= Math.min(end, icc.length); entry += 12) {
    const start = view.getUint32(entry + 4)
    tags.set(readAscii(icc, entry, 4), icc.subarray(start, start + view.getUint32(entry + 8)))
  }
  return tags
}

function readXyz(tag: Uint8Array | undefined): Xyz | undefined {
  if (tag === undefined || tag.length < 20 || !hasAscii(tag, 0, 'XYZ ')) return undefined
  const view = new DataView(tag.buffer, tag.byteOffset)
  return [view.getInt32(8) / 0x10000, view.getInt32(12) / 0x10000, view.getInt32(16) / 0x10000]
}

/** Matrix from CIE XYZ under D50 to linear sRGB, row by row (IEC 61966-2-1, Bradford). */
const xyzToSrgb = [
  [3.1338561, -1.6168667, -0.4906146],
  [-0.9787684, 1.9161415, 0.033454],
  [0.0719453, -0.2289914, 1.4052427],
] as const

const steps = 4096

/** sRGB levels of evenly spaced linear light. The steps are finer than levels everywhere. */
const encoded = Uint8ClampedArray.from({ length: steps + 1 }, (_, step) => {
  const light = step / steps
  return 255 * (light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055)
})

/** Converts a picture to sRGB in place, and clips its channels. Does nothing without a readable profile. */
export async function toSrgb(picture: Picture, icc: Uint8Array): Promise<Picture> {
  const profile = readProfile(icc)
  if (profile === undefined) return picture
  const convert = createConversion(profile)
  if (isSrgb(convert)) return picture
  await yieldToEventLoop()
  convert(picture.data)
  return picture
}

type Conversion = (rgba: Uint8ClampedArray) => void

function createConversion({ curves, columns }: ColourProfile): Conversion {
  const [red, green, blue] = curves as [Float32Array, Float32Array, Float32Array]
  const m = xyzToSrgb.flatMap((row) => columns.map((xyz) => row.reduce((sum, by, axis) => sum + by * xyz[axis]!, 0)))
  const value = (r: number, g: number, b: number, row: number) => {
    const light = m[row]! * r + m[row + 1]! * g + m[row + 2]! * b
    return encoded[Math.round(Math.min(1, Math.max(0, light)) * steps)]!
  }
  return (rgba) => {
    for (let at = 0; at < rgba.length; at += 4) {
      const [r, g, b] = [red[rgba[at]!]!, green[rgba[at + 1]!]!, blue[rgba[at + 2]!]!]
      rgba[at] = value(r, g, b, 0)
      rgba[at + 1] = value(r, g, b, 3)
      rgba[at + 2] = value(r, g, b, 6)
    }
  }
}

/** sRGB profiles differ by rounding, and all leave the picture unchanged. */
function isSrgb(convert: Conversion): boolean {
  const levels = [0, 64, 128, 192, 255]
  const samples = levels.flatMap((r) => levels.flatMap((g) => levels.flatMap((b) => [r, g, b, 255])))
  const converted = Uint8ClampedArray.from(samples)
  convert(converted)
  return samples.every((sample, index) => Math.abs(sample - converted[index]!) <= 3)
}
