import { differenceCiede2000, type Lab65, modeLab65, modeRgb, useMode } from 'culori/fn'

/** CIELAB under D65: l from 0 to 100, a and b from about -110 to 110. */
export type Lab = Lab65

useMode(modeRgb)
const convert = useMode(modeLab65) as (color: { mode: 'rgb'; r: number; g: number; b: number }) => Lab

export function toLab(red: number, green: number, blue: number): Lab {
  return convert({ mode: 'rgb', r: red / 255, g: green / 255, b: blue / 255 })
}

/** Computes CIEDE2000. A difference of 2 is barely visible. Above 10 most people use another colour name. */
export const difference: (a: Lab, b: Lab) => number = differenceCiede2000()

/** Converts an sRGB level (0 to 255) to linear light (0 to 1), IEC 61966-2-1. */
export function toLinear(level: number): number {
  const share = level / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}

export function toSrgb(linear: number): number {
  return 255 * (linear <= 0.0031308 ? linear * 12.92 : 1.055 * linear ** (1 / 2.4) - 0.055)
}
