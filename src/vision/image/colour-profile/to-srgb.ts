import { yieldToEventLoop } from '../../../yield-to-event-loop.ts'
import type { Picture } from '../../picture.ts'
import { type ColourProfile, readProfile } from './read-profile.ts'

/** From CIE XYZ under D50 to amounts of light in the primaries of sRGB, row by row (IEC 61966-2-1, Bradford). */
const xyzToSrgb = [
  [3.1338561, -1.6168667, -0.4906146],
  [-0.9787684, 1.9161415, 0.033454],
  [0.0719453, -0.2289914, 1.4052427],
] as const

const steps = 4096

/** The sRGB value for each amount of light, in `steps`; finer than a value everywhere. */
const encoded = Uint8ClampedArray.from({ length: steps + 1 }, (_, step) => {
  const light = step / steps
  return 255 * (light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055)
})

/**
 * Converts a picture to sRGB, in place, by the ICC profile that its file embeds. Colours that sRGB cannot show become
 * the nearest by channel. Without a profile that is understood, the picture counts as sRGB and stays as it is.
 */
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

/** The many profiles of sRGB differ by rounding. Pictures with one stay as they are, to the bit. */
function isSrgb(convert: Conversion): boolean {
  const levels = [0, 64, 128, 192, 255]
  const samples = levels.flatMap((r) => levels.flatMap((g) => levels.flatMap((b) => [r, g, b, 255])))
  const converted = Uint8ClampedArray.from(samples)
  convert(converted)
  return samples.every((sample, index) => Math.abs(sample - converted[index]!) <= 3)
}
