import type { Box } from '../picture.ts'
import { labelRegions } from './label-regions.ts'
import type { Mask } from './mask.ts'

/** The boxes around the parts that have at least `minShare` of the largest one's area, largest first. */
export function findParts({ width, height, data }: Mask, minShare: number): Box[] {
  const [, ...parts] = labelRegions(data, 1, width, height).regions
  parts.sort((a, b) => b.area - a.area)
  return parts
    .filter(({ area }) => area >= parts[0]!.area * minShare)
    .map(({ left, top, right, bottom }) => ({ left, top, right: right + 1, bottom: bottom + 1 }))
}
