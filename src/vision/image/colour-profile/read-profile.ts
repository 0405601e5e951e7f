import { hasAscii, readAscii } from '../ascii.ts'
import { readToneCurve } from './read-tone-curve.ts'

/** What the numbers of a picture mean: the model of screens, cameras and editors, "matrix/TRC" in ICC.1. */
export interface ColourProfile {
  /** For red, green and blue, how much light each of the 256 values stands for, 0 to 1. */
  readonly curves: readonly Float32Array[]
  /** From amounts of light to CIE XYZ under D50: the columns of red, green and blue. */
  readonly columns: readonly Xyz[]
}

type Xyz = readonly [x: number, y: number, z: number]

/** Profiles of this model have 0.5 to 25 kB. What is longer holds tables, as those of printers do. */
export const maxProfileBytes = 0x10000

const maxTags = 100

/** White of every profile (ICC.1, 7.2.16). */
const d50: Xyz = [0.9642, 1, 0.8249]

/**
 * Reads an ICC profile (ICC.1:2022, versions 2 and 4). Undefined where it is of another model, cut off or nonsense:
 * then the picture is taken for sRGB, as if it had none.
 */
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

/** 10.31: one triple of numbers with 16 bits after the point. */
function readXyz(tag: Uint8Array | undefined): Xyz | undefined {
  if (tag === undefined || tag.length < 20 || !hasAscii(tag, 0, 'XYZ ')) return undefined
  const view = new DataView(tag.buffer, tag.byteOffset)
  return [view.getInt32(8) / 0x10000, view.getInt32(12) / 0x10000, view.getInt32(16) / 0x10000]
}
