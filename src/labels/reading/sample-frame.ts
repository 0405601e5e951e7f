import type { Picture, Point } from '../../vision/picture.ts'

/** A rectangle at any angle in a picture: its top left corner, and the steps of one pixel to the right and down. */
export interface Frame {
  readonly origin: Point
  readonly right: Point
  readonly down: Point
}

export function toPicture({ origin, right, down }: Frame, [x, y]: Point): Point {
  return [origin[0] + x * right[0] + y * down[0], origin[1] + x * right[1] + y * down[1]]
}

/** Samples of a pixel across and down, at most: finer pictures are sampled with gaps. */
const maxSamples = 4

/** Draws `width` x `height` pixels of the frame, each the mean of samples. Repeats the edge outside the picture. */
export function sampleFrame(picture: Picture, frame: Frame, width: number, height: number): Picture {
  const { right, down } = frame
  const drawn = createPicture(width, height)
  const offsets = offsetsOf(right, down)
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at += 4) {
      const [left, top] = toPicture(frame, [x, y])
      samplePixel(picture, left, top, offsets, drawn.data, at)
    }
  }
  return drawn
}

/** Draws columns of pixels, each from its upper end in steps down. Both are in pixels of the picture. */
export function sampleColumns(picture: Picture, columns: readonly Omit<Frame, 'right'>[], height: number): Picture {
  const drawn = createPicture(columns.length, height)
  for (const [x, { origin, down }] of columns.entries()) {
    const next = columns[x + 1]?.origin ?? origin
    const right: Point = [next[0] - origin[0], next[1] - origin[1]]
    const offsets = offsetsOf(right, down)
    for (let y = 0; y < height; y++) {
      const [left, top] = [origin[0] + y * down[0], origin[1] + y * down[1]]
      samplePixel(picture, left, top, offsets, drawn.data, (y * columns.length + x) * 4)
    }
  }
  return drawn
}

const createPicture = (width: number, height: number) => ({
  width,
  height,
  data: new Uint8ClampedArray(width * height * 4).fill(255),
})

/** Returns the sample points of a pixel, relative to its upper left corner. A picture that is not finer gives one. */
function offsetsOf(right: Point, down: Point): Float64Array {
  const count = Math.min(maxSamples, Math.max(1, Math.round(Math.max(Math.hypot(...right), Math.hypot(...down)))))
  const offsets = new Float64Array(2 * count * count)
  for (let index = 0; index < count * count; index++) {
    const [u, v] = [((index % count) + 0.5) / count, (Math.floor(index / count) + 0.5) / count]
    offsets[2 * index] = u * right[0] + v * down[0] - 0.5
    offsets[2 * index + 1] = u * right[1] + v * down[1] - 0.5
  }
  return offsets
}

/** Writes the mean of the samples. A single sample is interpolated. */
function samplePixel(
  { data, width, height }: Picture,
  left: number,
  top: number,
  offsets: Float64Array,
  target: Uint8ClampedArray,
  at: number,
) {
  let [red, green, blue] = [0, 0, 0]
  for (let index = 0; index < offsets.length; index += 2) {
    const x = Math.min(width - 1, Math.max(0, left + offsets[index]!))
    const y = Math.min(height - 1, Math.max(0, top + offsets[index + 1]!))
    if (offsets.length > 2) {
      const from = (Math.round(y) * width + Math.round(x)) * 4
      red += data[from]!
      green += data[from + 1]!
      blue += data[from + 2]!
      continue
    }
    const [column, row] = [Math.floor(x), Math.floor(y)]
    const [fx, fy] = [x - column, y - row]
    const from = (row * width + column) * 4
    const next = column + 1 < width ? from + 4 : from
    const below = row + 1 < height ? width * 4 : 0
    const [a, b, c, d] = [(1 - fx) * (1 - fy), fx * (1 - fy), (1 - fx) * fy, fx * fy]
    red = data[from]! * a + data[next]! * b + data[from + below]! * c + data[next + below]! * d
    green = data[from + 1]! * a + data[next + 1]! * b + data[from + below + 1]! * c + data[next + below + 1]! * d
    blue = data[from + 2]! * a + data[next + 2]! * b + data[from + below + 2]! * c + data[next + below + 2]! * d
  }
  const count = offsets.length / 2
  target[at] = red / count
  target[at + 1] = green / count
  target[at + 2] = blue / count
}
