import type { Picture } from '../picture.ts'
import type { Ranked } from '../rank.ts'
import type { Mask } from '../segment/mask.ts'
import { clusterColours, type ColourCluster } from './cluster-colours.ts'
import { nameColour } from './name-colour.ts'

export interface ColourReading {
  readonly ranked: Ranked
  /** Of the main colour, `#rrggbb`. */
  readonly hex: string
  readonly clusters: readonly ColourCluster[]
}

/** `Multi` stands for four or more names of at least a tenth of the garment each, none of them half of it. */
const MULTI_NAMES = 4
const MULTI_SHARE = 0.1

/** Names the garment's main colour; the alternatives are neighbouring names and then its other colours. */
export function rankColours(picture: Picture, mask: Mask): ColourReading {
  const clusters = clusterColours(picture, mask)
  const main = clusters[0]
  if (main === undefined) return { ranked: [{ value: 'Grey', probability: 0.03 }], hex: '#808080', clusters }
  const named = clusters.map(({ lab }) => nameColour(lab))
  const weights = new Map<string, number>()
  clusters.forEach((cluster, index) => {
    // The main colour decides; lesser ones only fill the list of alternatives.
    const weight = index === 0 ? 1 : 0.5 * (cluster.share / (main.share + cluster.share)) ** 2
    for (const { name, probability } of named[index]!.slice(0, 5))
      weights.set(name, (weights.get(name) ?? 0) + weight * probability)
  })
  const names = new Set(named.filter((_, index) => clusters[index]!.share >= MULTI_SHARE).map(([best]) => best?.name))
  if (names.size >= MULTI_NAMES && main.share < 0.5) weights.set('Multi', 1.5)
  const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0)
  const ranked = [...weights]
    .map(([value, weight]) => ({ value, probability: weight / total }))
    .sort((a, b) => b.probability - a.probability)
  return { ranked, hex: toHex(main.rgb), clusters }
}

function toHex(rgb: readonly number[]): string {
  return `#${rgb.map((value) => Math.round(value).toString(16).padStart(2, '0')).join('')}`
}
