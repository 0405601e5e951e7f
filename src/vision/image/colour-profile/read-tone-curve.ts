import { hasAscii } from '../ascii.ts'

const fraction = 0x10000

/**
 * How much light each of the values 0 to 255 stands for, 0 to 1, by a `curv` or `para` tag (ICC.1:2022, 10.6 and
 * 10.18). Undefined for what is cut off, and for anything else.
 */
export function readToneCurve(tag: Uint8Array | undefined): Float32Array | undefined {
  if (tag === undefined || tag.length < 12) return undefined
  const view = new DataView(tag.buffer, tag.byteOffset, tag.byteLength)
  const curve = hasAscii(tag, 0, 'curv') ? sampled(view) : hasAscii(tag, 0, 'para') ? parametric(view) : undefined
  return curve && Float32Array.from({ length: 256 }, (_, value) => Math.min(1, Math.max(0, curve(value / 255) || 0)))
}

type Curve = (value: number) => number

/** No numbers are a straight line, one is an exponent with 8 bits after the point, more are a table. */
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

/** How many parameters each type has, in the order g, a, b, c, d, e, f. */
const parameterCounts = [1, 3, 4, 5, 7]

function parametric(view: DataView): Curve | undefined {
  const type = view.getUint16(8)
  const count = parameterCounts[type]
  if (count === undefined || 12 + count * 4 > view.byteLength) return undefined
  const [g = 1, a = 1, b = 0, c = 0, d = 0, e = 0, f = 0] = Array.from(
    { length: count },
    (_, index) => view.getInt32(12 + index * 4) / fraction,
  )
  // Types 1 and 2 are a power above a threshold of their own; the fourth parameter of type 2 is added everywhere.
  if (type === 1 || type === 2) return (value) => (value >= -b / a ? (a * value + b) ** g : 0) + c
  return (value) => (value >= d ? (a * value + b) ** g + e : c * value + f)
}
