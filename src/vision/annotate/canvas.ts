import type { Picture, Point } from '../picture.ts'

export type Ink = readonly [red: number, green: number, blue: number]

/** Lays ink over one pixel; `opacity` 0 to 1. Ignores pixels outside the picture. */
function blend({ width, height, data }: Picture, x: number, y: number, [red, green, blue]: Ink, opacity: number) {
  if (x < 0 || y < 0 || x >= width || y >= height || opacity <= 0) return
  const at = (y * width + x) * 4
  const share = opacity > 1 ? 1 : opacity
  data[at] = data[at]! + (red - data[at]!) * share
  data[at + 1] = data[at + 1]! + (green - data[at + 1]!) * share
  data[at + 2] = data[at + 2]! + (blue - data[at + 2]!) * share
}

/**
 * A straight line with round ends; each pixel's opacity is how far it lies inside, so that slanted lines are smooth.
 */
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

/** The columns of a row that a line with `reach` around it can touch. */
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

export function drawDisc(picture: Picture, centre: Point, radius: number, ink: Ink, opacity = 1) {
  drawLine(picture, centre, centre, radius * 2, ink, opacity)
}

/** A filled box with round corners. */
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
