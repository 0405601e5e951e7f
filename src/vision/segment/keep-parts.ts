import { labelRegions } from './label-regions.ts'
import type { Mask } from './mask.ts'

/** A part smaller than this share of the largest one is something else: a price tag, a stain, the end of a hanger. */
const minPart = 0.1

/** A hole smaller than this share of the garment is a button or a print. */
const minHole = 0.003

/** Keeps the large parts (a pair of shoes has two) and fills the small holes. */
export function keepParts({ width, height, data }: Mask): Mask {
  const { regions, labels } = labelRegions(data, 1, width, height)
  const largest = Math.max(0, ...regions.slice(1).map(({ area }) => area))
  const isKept = regions.map(({ area }, id) => id > 0 && area >= largest * minPart)
  const kept = new Uint8Array(data.length)
  for (let index = 0; index < kept.length; index++) if (isKept[labels[index]!] === true) kept[index] = 1
  const holes = labelRegions(kept, 0, width, height)
  const isSmall = holes.regions.map(
    ({ area, touchesBorder }, id) => id > 0 && !touchesBorder && area < largest * minHole,
  )
  for (let index = 0; index < kept.length; index++) if (isSmall[holes.labels[index]!] === true) kept[index] = 1
  return { width, height, data: kept }
}
