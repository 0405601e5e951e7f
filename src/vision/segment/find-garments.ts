import type { Box } from '../picture.ts'
import { labelRegions } from './label-regions.ts'
import type { Mask } from './mask.ts'

/** A part of at least this share of the largest one's area is another garment, or the other shoe. */
const LEAST_GARMENT = 0.25

/** The boxes around the parts that are large enough to be garments of their own, largest part first. */
export function findGarments({ width, height, data }: Mask): Box[] {
  const [, ...parts] = labelRegions(data, 1, width, height).regions
  parts.sort((a, b) => b.area - a.area)
  return parts
    .filter(({ area }) => area >= parts[0]!.area * LEAST_GARMENT)
    .map(({ left, top, right, bottom }) => ({ left, top, right: right + 1, bottom: bottom + 1 }))
}
