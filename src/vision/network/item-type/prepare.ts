import type { Picture } from '../../picture.ts'
import { INPUT_SIZE } from './classes.ts'
import { sharpen } from './sharpen.ts'

/** The thumbnails that Fashion-MNIST was made from. */
const THUMBNAIL_WIDTH = 51
const THUMBNAIL_HEIGHT = 73

/**
 * The set has no white products: of its training pictures only the lightest tenth have a median ink below a third. A
 * garment lighter than this is dyed, see `dye`.
 */
const LEAST_MEDIAN_INK = 0.4

/** `values` is row by row; ink is 1 - brightness, so 0 is white and 1 is black. */
interface Ink {
  readonly width: number
  readonly height: number
  readonly values: Float32Array
}

interface Thumbnail extends Ink {
  /** How much of each place is garment, 0 to 1. */
  readonly coverage: Float32Array
}

/**
 * Makes the network's input of a photograph by the steps that Fashion-MNIST was made by (arXiv 1708.07747, section 2):
 * paint the background, trim, shrink to the thumbnail's size, sample to 28 places on the longest edge, sharpen with
 * radius and sigma 1, centre, negate, grey. Two things differ: what is background comes from `mask`, not from the
 * corners' colour, and light garments are dyed.
 *
 * `mask` has one byte a pixel of `picture`, row by row, 1 for garment. The answer has 28 x 28 places of 0 (background)
 * to 1. Throws a `RangeError` where `mask` has another size than `picture` or marks nothing.
 */
export function prepare(picture: Picture, mask: Uint8Array): Float32Array {
  if (mask.length !== picture.width * picture.height)
    throw new RangeError('The mask has another size than the picture.')
  const thumbnail = dye(shrinkGarment(picture, mask))
  const scale = INPUT_SIZE / Math.max(thumbnail.width, thumbnail.height)
  const width = Math.max(1, Math.round(thumbnail.width * scale))
  const height = Math.max(1, Math.round(thumbnail.height * scale))
  const values = sharpen(sample(thumbnail, width, height), width, height)
  const pixels = new Float32Array(INPUT_SIZE ** 2)
  const left = Math.floor((INPUT_SIZE - width) / 2)
  const top = Math.floor((INPUT_SIZE - height) / 2)
  for (let y = 0; y < height; y++)
    pixels.set(values.subarray(y * width, (y + 1) * width), (top + y) * INPUT_SIZE + left)
  return pixels
}

/** Trims to the mask and shrinks by area averaging until it fits into a thumbnail; the background has no ink. */
function shrinkGarment({ width, height, data }: Picture, mask: Uint8Array): Thumbnail {
  let [left, right, top, bottom] = [width, -1, height, -1]
  for (let y = 0; y < height; y++) {
    const row = mask.subarray(y * width, (y + 1) * width)
    const first = row.indexOf(1)
    if (first < 0) continue
    left = Math.min(left, first)
    right = Math.max(right, row.lastIndexOf(1))
    top = Math.min(top, y)
    bottom = y
  }
  if (right < 0) throw new RangeError('The mask marks no garment.')
  const [columns, rows] = [right - left + 1, bottom - top + 1]
  const scale = Math.min(1, THUMBNAIL_WIDTH / columns, THUMBNAIL_HEIGHT / rows)
  const small = { width: Math.max(1, Math.round(columns * scale)), height: Math.max(1, Math.round(rows * scale)) }
  const values = new Float32Array(small.width * small.height)
  const coverage = new Float32Array(values.length)
  for (let y = 0; y < small.height; y++) {
    for (let x = 0; x < small.width; x++) {
      // Whole pixels are enough: a place is many pixels of a photograph, and at least one.
      const fromX = left + Math.floor((x * columns) / small.width)
      const toX = Math.max(fromX + 1, left + Math.floor(((x + 1) * columns) / small.width))
      const fromY = top + Math.floor((y * rows) / small.height)
      const toY = Math.max(fromY + 1, top + Math.floor(((y + 1) * rows) / small.height))
      let ink = 0
      let covered = 0
      for (let row = fromY; row < toY; row++) {
        for (let at = row * width + fromX; at < row * width + toX; at++) {
          if (mask[at] !== 1) continue
          covered++
          // Luma of Rec. 709, as ImageMagick's grey.
          ink += 255 - (0.2126 * data[at * 4]! + 0.7152 * data[at * 4 + 1]! + 0.0722 * data[at * 4 + 2]!)
        }
      }
      const area = (toX - fromX) * (toY - fromY)
      values[y * small.width + x] = ink / 255 / area
      coverage[y * small.width + x] = covered / area
    }
  }
  return { ...small, values, coverage }
}

/**
 * Negated, a white garment would be as black as the background. So the ink of a light garment is raised all over until
 * its median is what the lightest products of the set have; folds, seams and prints keep their contrast.
 */
function dye(thumbnail: Thumbnail): Thumbnail {
  const inks = thumbnail.values.filter((_, i) => thumbnail.coverage[i] === 1).sort()
  const median = inks[inks.length >> 1] ?? 0
  if (median >= LEAST_MEDIAN_INK) return thumbnail
  const raise = LEAST_MEDIAN_INK - median
  const values = thumbnail.values.map((ink, i) => Math.min(1, ink + raise * thumbnail.coverage[i]!))
  return { ...thumbnail, values }
}

/** Takes the nearest place for each, as the set did, without averaging: that keeps outlines crisp. */
function sample({ width, height, values }: Ink, columns: number, rows: number): Float32Array {
  return Float32Array.from({ length: columns * rows }, (_, i) => {
    const x = Math.floor((((i % columns) + 0.5) * width) / columns)
    const y = Math.floor(((Math.floor(i / columns) + 0.5) * height) / rows)
    return values[y * width + x]!
  })
}
