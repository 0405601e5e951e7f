declare module 'culori/fn' {
  export interface Lab65 {
    mode: 'lab65'
    l: number
    a: number
    b: number
  }
  export interface Rgb {
    mode: 'rgb'
    r: number
    g: number
    b: number
  }
  export const modeRgb: object
  export const modeLab65: object
  export function useMode(mode: object): (color: Lab65 | Rgb) => Lab65 | Rgb
  export function differenceCiede2000(): (a: Lab65, b: Lab65) => number
}
