import { type Box, type Picture, type Point, viewEdge } from '../picture.ts'
import type { Drawing } from '../annotate/clean-copy.ts'
import { shrink } from '../image/shrink.ts'
import { coverRings, cutOut } from './matte.ts'

export const ratios = { '1:1': 1, '4:5': 4 / 5, '3:4': 3 / 4 } as const

export type Ratio = keyof typeof ratios

export const maxCutoutEdge = 2000

/** Margin on each side of the garment, as a share of the frame's edge. */
const marginShare = 0.08

/** A garment this close to the picture's edge, in pixels, is cut off there and gets no margin. */
const atEdge = 2

interface CutoutOptions {
  readonly ratio: Ratio
  readonly maxEdge: number
}

/**
 * Cuts the garment out into a frame with an even margin and a transparent background. A garment cut off by the picture
 * is cut off by the frame too. Overwrites the picture. `scale` is pixels of the picture per pixel of the drawing.
 */
export function cutOutGarment(
  picture: Picture,
  { outlines, holes }: Pick<Drawing, 'outlines' | 'holes'>,
  scale: number,
  { ratio, maxEdge }: CutoutOptions,
): Picture {
  const place = ([x, y]: Point): Point => [(x + 0.5) * scale - 0.5, (y + 0.5) * scale - 0.5]
  // An outline is exact to about one pixel of the view, or this many pixels of the picture.
  const cell = Math.max(2, Math.round(Math.max(picture.width, picture.height) / viewEdge) + 1)
  const rings = [...outlines, ...holes].map((ring) => ring.map(place))
  const box = boxOf(rings, picture, 3 * cell)
  const size = { width: picture.width, height: picture.height }
  const part = crop(picture, box)
  const inPart = rings.map((ring) => ring.map(([x, y]): Point => [x - box.left, y - box.top]))
  const matte = cutOut(part, coverRings(inPart, part.width, part.height), cell)
  return frame(trim(matte, box, size), ratio, maxEdge)
}

function boxOf(rings: readonly (readonly Point[])[], { width, height }: Picture, margin: number): Box {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const [x, y] of rings.flat()) {
    ;[left, top] = [Math.min(left, x), Math.min(top, y)]
    ;[right, bottom] = [Math.max(right, x), Math.max(bottom, y)]
  }
  return {
    left: Math.max(0, Math.floor(left) - margin),
    top: Math.max(0, Math.floor(top) - margin),
    right: Math.min(width, Math.ceil(right) + 1 + margin),
    bottom: Math.min(height, Math.ceil(bottom) + 1 + margin),
  }
}

/** Crops in place, because memory is scarce for large pictures. */
function crop({ width, data }: Picture, { left, top, right, bottom }: Box): Picture {
  const columns = right - left
  for (let y = top; y < bottom; y++)
    data.copyWithin((y - top) * columns * 4, (y * width + left) * 4, (y * width + right) * 4)
  return { width: columns, height: bottom - top, data: data.subarray(0, columns * (bottom - top) * 4) }
}

interface Trimmed extends Picture {
  readonly isCut: { readonly left: boolean; readonly top: boolean; readonly right: boolean; readonly bottom: boolean }
}

function trim(matte: Picture, box: Box, picture: Pick<Picture, 'width' | 'height'>): Trimmed {
  const { width, height, data } = matte
  let [left, top, right, bottom] = [width, height, 0, 0]
  for (let y = 0, at = 3; y < height; y++)
    for (let x = 0; x < width; x++, at += 4) {
      if (data[at]! < 32) continue
      if (x < left) left = x
      if (x >= right) right = x + 1
      if (top === height) top = y
      bottom = y + 1
    }
  const inside = right > left ? { left, top, right, bottom } : { left: 0, top: 0, right: width, bottom: height }
  const isCut = {
    left: box.left + inside.left <= atEdge,
    top: box.top + inside.top <= atEdge,
    right: box.left + inside.right >= picture.width - atEdge,
    bottom: box.top + inside.bottom >= picture.height - atEdge,
  }
  return { ...crop(matte, inside), isCut }
}

const placeIn = (edge: number, length: number, isFirstCut: boolean, isLastCut: boolean) =>
  isFirstCut ? 0 : isLastCut ? edge - length : Math.round((edge - length) / 2)

function frame(garment: Trimmed, ratio: Ratio, maxEdge: number): Picture {
  const { isCut } = garment
  const free = (first: boolean, last: boolean) => 1 - marginShare * ((first ? 0 : 1) + (last ? 0 : 1))
  const [freeX, freeY] = [free(isCut.left, isCut.right), free(isCut.top, isCut.bottom)]
  const shape = ratios[ratio]
  const needed = Math.max(garment.height / freeY, garment.width / freeX / shape)
  const height = Math.min(maxEdge, Math.ceil(needed))
  const width = Math.round(height * shape)
  const scaled = shrink(
    garment,
    Math.floor((Math.max(garment.width, garment.height) * Math.min(height, needed)) / needed),
  )
  const data = new Uint8ClampedArray(width * height * 4)
  for (let at = 0; at < data.length; at += 4) data[at] = data[at + 1] = data[at + 2] = 255
  const left = Math.max(0, placeIn(width, scaled.width, isCut.left, isCut.right))
  const top = Math.max(0, placeIn(height, scaled.height, isCut.top, isCut.bottom))
  const columns = Math.min(scaled.width, width - left)
  for (let y = 0; y < Math.min(scaled.height, height - top); y++)
    data.set(
      scaled.data.subarray(y * scaled.width * 4, (y * scaled.width + columns) * 4),
      ((top + y) * width + left) * 4,
    )
  return { width, height, data }
}
