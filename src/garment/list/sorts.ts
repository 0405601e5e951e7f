import type { GarmentFilter } from './list-garments.ts'

/**
 * `type` and `type_down` go by item type and within it by brand, `doubt` by how many values are expected to be wrong;
 * these list complete garments only.
 */
const allSorts = ['newest', 'oldest', 'type', 'type_down', 'doubt'] as const

export type Sort = (typeof allSorts)[number]

/** The orders in which an index gives the garments of a filter, the usual one first; none for a search. */
export function sortsOf(filter: Omit<GarmentFilter, 'limit'>): readonly Sort[] {
  const { status, search, brand, itemType, colour, fromMs, untilMs, corrected, doubtful } = filter
  if (search !== undefined) return []
  // The garments of a brand are found type by type, which is as much as a page may read from one end only.
  if (brand !== undefined) return ['type_down']
  if (itemType !== undefined) return ['type_down', 'type']
  if (corrected) return ['newest', 'oldest']
  if (colour !== undefined || doubtful) return ['doubt']
  const isComplete = status === undefined || status === 'complete'
  const isUndated = fromMs === undefined && untilMs === undefined
  return isComplete && isUndated ? ['newest', 'oldest', 'type', 'doubt'] : ['newest', 'oldest']
}

/** The order of the list: the requested one if an index has it, otherwise the default. */
export function sortOf(filter: Omit<GarmentFilter, 'limit'>): Sort | undefined {
  const possible = sortsOf(filter)
  return possible.find((sort) => sort === filter.sort) ?? possible[0]
}
