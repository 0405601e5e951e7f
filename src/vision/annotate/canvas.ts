import type { Picture, Point } from '../picture.ts'

export type Ink = readonly [red: number, green: number, blue: number]

/** Blends ink over a pixel, with opacity 0 to 1. Ignores pixels outside the picture. */
function blend({ width, height, data }: Picture, x: number, y: number, [red, green, blue]: Ink, opacity: number) {
  if (x < 0 || y < 0 || x >= width || y >= height || opacity <= 0) return
  const at = (y * width + x) * 4
  const share = opacity > 1 ? 1 : opacity
  data[at] = data[at]! + (red - data[at]!) * share
  data[at + 1] = data[at + 1]! + (green - data[at + 1]!) * share
  data[at + 2] = data[at + 2]! + (blue - data[at + 2]!) * share
}

export function drawLine(picture: Picture, [x0, y0]: Point, [x1, y1]: Point, width: number, ink: Ink, opacity = 1) {
  const half = width / 2
  const dx = x1 - x0
  const dy = y1 - y0
  const squared = dx * dx + dy * dy
  const reach = (half + 0.5) * (half + 0.5)
  const top = Math.max(0, Math.floor(Math.min(y0, y1) - half - 1))
  const bottom = Math.min(picture.height - 1, Math.ceil(Math.max(y0, y1) + half + 1))
  for (let y = top; y <= bottom; y++) {
    const [left, right] = spanOf(y, x0, y0, dx, dy, half + 1)
    for (let x = Math.max(0, left); x <= Math.min(picture.width - 1, right); x++) {
      const along = squared === 0 ? 0 : Math.max(0, Math.min(1, ((x - x0) * dx + (y - y0) * dy) / squared))
      const awayX = x - x0 - along * dx
      const awayY = y - y0 - along * dy
      const away = awayX * awayX + awayY * awayY
      if (away < reach) blend(picture, x, y, ink, Math.min(1, half + 0.5 - Math.sqrt(away)) * opacity)
    }
  }
}

/** Returns the first and last column of a row that a line of the given reach can touch. */
function spanOf(y: number, x0: number, y0: number, dx: number, dy: number, reach: number): [number, number] {
  if (Math.abs(dy) < 1e-6) return [Math.floor(Math.min(x0, x0 + dx) - reach), Math.ceil(Math.max(x0, x0 + dx) + reach)]
  const at = (v: number) => x0 + Math.max(0, Math.min(1, (v - y0) / dy)) * dx
  const a = at(y - reach)
  const b = at(y + reach)
  return [Math.floor(Math.min(a, b) - reach), Math.ceil(Math.max(a, b) + reach)]
}

export function drawPolyline(picture: Picture, points: readonly Point[], width: number, ink: Ink, opacity = 1) {
  points.forEach((point, index) => {
    const next = points[index + 1]
    if (next !== undefined) drawLine(picture, point, next, width, ink, opacity)
  })
}

export function drawBox(
  picture: Picture,
  left: number,
  top: number,
  width: number,
  height: number,
  radius: number,
  ink: Ink,
  opacity: number,
) {
  for (let y = Math.floor(top); y < top + height; y++) {
    for (let x = Math.floor(left); x < left + width; x++) {
      const dx = Math.max(left + radius - x, x - (left + width - 1 - radius), 0)
      const dy = Math.max(top + radius - y, y - (top + height - 1 - radius), 0)
      blend(picture, x, y, ink, Math.min(1, radius + 0.5 - Math.hypot(dx, dy)) * opacity)
    }
  }
}

/** A stroke font on a grid 4 wide and 6 high, with descenders to 8. Strokes list points as pairs of digits `xy`. */
export const glyphTable: Readonly<Record<string, readonly string[]>> = {
  A: ['062046', '1434'],
  B: ['0006', '003041423303', '3344453606'],
  C: ['4130100105163645'],
  D: ['00063645413000'],
  E: ['40000646', '0333'],
  F: ['400006', '0333'],
  G: ['41301001051636454323'],
  H: ['0006', '4046', '0343'],
  I: ['2026', '1030', '1636'],
  J: ['4045361605'],
  K: ['0006', '400346'],
  L: ['000646'],
  M: ['0600234046'],
  N: ['06004640'],
  O: ['100105163645413010'],
  P: ['06003041423303'],
  Q: ['100105163645413010', '2446'],
  R: ['06003041423303', '2346'],
  S: ['413010010213334445361605'],
  T: ['0040', '2026'],
  U: ['000516364540'],
  V: ['002640'],
  W: ['0016233640'],
  X: ['0046', '4006'],
  Y: ['002340', '2326'],
  Z: ['00400646'],
  a: ['4332120305163645', '4246'],
  b: ['0006', '0312324345361605'],
  c: ['4332120305163645'],
  d: ['4046', '4332120305163645'],
  e: ['04444332120305163645'],
  f: ['302126', '1232'],
  g: ['4247381807', '4332120305163645'],
  h: ['0006', '0312324346'],
  i: ['2226', '2020'],
  j: ['222718', '2020'],
  k: ['0006', '420446'],
  l: ['2026'],
  m: ['0206', '03122326', '23324346'],
  n: ['0206', '0312324346'],
  o: ['120305163645433212'],
  p: ['0208', '0312324345361605'],
  q: ['4248', '4332120305163645'],
  r: ['0206', '041232'],
  s: ['43321203143445361605'],
  t: ['202536', '1232'],
  u: ['0205163645', '4246'],
  v: ['022642'],
  w: ['0216243642'],
  x: ['0246', '4206'],
  y: ['0225', '4218'],
  z: ['02420646'],
  0: ['100105163645413010'],
  1: ['112026', '1636'],
  2: ['01103041420646'],
  3: ['011030414233', '13334445361605'],
  4: ['36300444'],
  5: ['400002324345361605'],
  6: ['3010010516364544331304'],
  7: ['004016'],
  8: ['130201103041423313', '133344453616050413'],
  9: ['4233130201103041453616'],
  '.': ['2626'],
  ',': ['2617'],
  '-': ['1333'],
  '&': ['4612112031320405162644'],
  "'": ['2021'],
  '/': ['0640'],
  '(': ['30121436'],
  ')': ['10323416'],
  '%': ['0640', '1010', '3636'],
  ' ': [],
}

/** Advance from one glyph to the next in grid units, and exceptions for narrow glyphs. */
const glyphAdvance = 5.6
const narrowAdvances: Readonly<Record<string, number>> = {
  ' ': 3.4,
  i: 3,
  l: 3,
  '.': 2.6,
  ',': 2.6,
  "'": 2.6,
  I: 4.6,
  1: 5,
  t: 4.6,
  f: 4.6,
  j: 3.6,
  r: 5,
  '-': 4.6,
}

export function textWidth(text: string, size: number): number {
  return ([...text].reduce((sum, letter) => sum + (narrowAdvances[letter] ?? glyphAdvance), 0) - 1.6) * (size / 6)
}

/** Draws a text with the top left corner of its capitals at the given point. Unknown letters leave a gap. */
export function drawText(picture: Picture, text: string, [left, top]: Point, size: number, ink: Ink) {
  const unit = size / 6
  let x = left
  for (const letter of text) {
    const advance = narrowAdvances[letter] ?? glyphAdvance
    const inset = advance < glyphAdvance ? (advance - glyphAdvance) / 2 : 0
    for (const stroke of glyphTable[letter] ?? []) {
      const points: Point[] = []
      for (let index = 0; index + 1 < stroke.length; index += 2) {
        points.push([x + (Number(stroke[index]) + inset) * unit, top + Number(stroke[index + 1]) * unit])
      }
      drawPolyline(picture, points, Math.max(1.15, unit * 0.95), ink)
    }
    x += advance * unit
  }
}
