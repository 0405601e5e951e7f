import type { Picture } from '../picture.ts'
import { type Ranked, rank } from '../rank.ts'
import type { Mask } from '../segment/mask.ts'
import { clusterColours, type ColourCluster } from './cluster-colours.ts'
import { COLOUR_FAMILIES, familyOf } from './colour-families.ts'
import { colourLogProbabilities, FAMILIES } from './colour-model.ts'
import { nameColour } from './name-colour.ts'
import { sampleColours } from './sample-colours.ts'

export interface ColourReading {
  /** The main colour's name first; the alternatives are its neighbours and the garment's other colours. */
  readonly ranked: Ranked
  /** Of the main colour under neutral light, `#rrggbb`. */
  readonly hex: string
}

/** Weight of the network's opinion beside that of the pixels inside the outline. */
const NETWORK_WEIGHT = 0.45

/** Both opinions together are less sure than right: measured on people who were not in training. */
const TEMPERATURE = 0.75

/** Weight of the plain count of the cloth's colours: it brings a second colour among the alternatives. */
const COUNTED_WEIGHT = 0.15

/**
 * Names the garment's main colour: the family by the colour model and the network, and in it the shop's name that is
 * nearest to the cloth.
 * @param seen the network's probabilities by family
 */
export function rankColours(picture: Picture, mask: Mask, seen: readonly (readonly [string, number])[]): ColourReading {
  const clusters = clusterColours(picture, mask)
  const samples = sampleColours(picture, mask)
  const byPixels = samples.inside.length === 0 ? undefined : colourLogProbabilities(samples)
  const network = new Map(seen)
  const learned = rank(
    FAMILIES.map((family, index) => {
      const own = Math.log(Math.max(1e-6, network.get(family) ?? 0))
      const other = byPixels?.[index] ?? own
      return [family, Math.exp((own * NETWORK_WEIGHT + other * (1 - NETWORK_WEIGHT)) / TEMPERATURE)]
    }),
  )
  const counted = shareByFamily(clusters)
  const families = rank(
    learned.map(({ value, probability }) => [
      value,
      probability * (1 - COUNTED_WEIGHT) + (counted.get(value) ?? 0) * COUNTED_WEIGHT,
    ]),
  )
  const main = clusterOf(clusters, families[0]?.value)
  return {
    ranked: families.map(({ value, probability }) => ({ value: shopName(value, clusters), probability })),
    hex: main === undefined ? '#808080' : toHex(main.rgb),
  }
}

/** Share of the cloth by family, each cluster by its nearest name. */
function shareByFamily(clusters: readonly ColourCluster[]): Map<string, number> {
  const shares = new Map<string, number>()
  for (const { lab, share } of clusters) {
    const family = familyOf(nameColour(lab)[0]?.name ?? '') ?? ''
    shares.set(family, (shares.get(family) ?? 0) + share)
  }
  return shares
}

/** The largest cluster that bears a name of the family, or else the largest. */
function clusterOf(clusters: readonly ColourCluster[], family: string | undefined): ColourCluster | undefined {
  return clusters.find(({ lab }) => familyOf(nameColour(lab)[0]?.name ?? '') === family) ?? clusters[0]
}

/** Of the family's names the one nearest to the cloth's colour of that family. */
function shopName(family: string, clusters: readonly ColourCluster[]): string {
  const names = COLOUR_FAMILIES[family] ?? [family]
  const cluster = clusterOf(clusters, family)
  if (cluster === undefined || familyOf(nameColour(cluster.lab)[0]?.name ?? '') !== family) return family
  return nameColour(cluster.lab).find(({ name }) => names.includes(name))?.name ?? family
}

function toHex(rgb: readonly number[]): string {
  return `#${rgb.map((value) => Math.round(value).toString(16).padStart(2, '0')).join('')}`
}
