import type { ColourCluster } from './colour/cluster-colours.ts'
import { type Ranked, rank } from './rank.ts'

/** Pattern from how much of the garment has another colour than the main one. */
export function patternOf(clusters: readonly ColourCluster[]): Ranked {
  const other = 1 - (clusters[0]?.share ?? 1)
  if (other < 0.08) return rank({ Plain: 0.9, Printed: 0.1 })
  return rank({ Plain: Math.max(0, 0.3 - other), Printed: 0.3, Striped: 0.3, Checked: 0.2, Dotted: 0.2 })
}
