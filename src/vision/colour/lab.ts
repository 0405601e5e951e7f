import { differenceCiede2000, type Lab65, modeLab65, modeRgb, useMode } from 'culori/fn'

/** CIELAB under D65: l 0 to 100, a and b about -110 to 110. */
export type Lab = Lab65

useMode(modeRgb)
const convert = useMode(modeLab65) as (color: { mode: 'rgb'; r: number; g: number; b: number }) => Lab

/** From sRGB, 0 to 255 a channel. */
export function toLab(red: number, green: number, blue: number): Lab {
  return convert({ mode: 'rgb', r: red / 255, g: green / 255, b: blue / 255 })
}

/** CIEDE2000: about 2 is just noticed, above 10 most people give another name. */
export const difference: (a: Lab, b: Lab) => number = differenceCiede2000()
