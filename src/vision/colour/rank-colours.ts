import type { Mask, Picture } from '../picture.ts'
import { type Ranked, rank } from '../rank.ts'
import { clusterColours, type ColourCluster } from './cluster-colours.ts'
import { familyOf, nameColour } from './name-colour.ts'
import { colourLogProbabilities, colourFamilies } from './colour-model.ts'
import { findPlaces, sampleColours } from './sample-colours.ts'

export interface ColourReading {
  /** Colour names: the main colour first, then its neighbours and the garment's other colours. */
  readonly ranked: Ranked
  /** Main colour under neutral light as `#rrggbb`. */
  readonly hex: string
}

/** Weight of the network's log probabilities. The rest is the weight of the pixels inside the outline. */
const networkWeight = 0.6

/** Weight of each family's share of the cloth, which brings second colours into the alternatives. */
const countedWeight = 0.15

/** Sharpens the combined probabilities, which are underconfident. Fitted with both weights on held-out people. */
const temperature = 0.6

/**
 * Names the garment's main colour. The colour model and the network decide the family, and the cloth's colour decides
 * the name within that family.
 * @param seen network probabilities by family
 */
export function rankColours(picture: Picture, mask: Mask, seen: readonly (readonly [string, number])[]): ColourReading {
  const places = findPlaces(mask)
  const clusters = clusterColours(picture, mask, places).map(withNames)
  const samples = sampleColours(picture, places)
  const byPixels = samples.inside.length === 0 ? undefined : colourLogProbabilities(samples)
  const network = new Map(seen)
  const combined = rank(
    colourFamilies.map((family, index) => {
      const seen = Math.log(Math.max(1e-6, network.get(family) ?? 0))
      const other = byPixels?.[index] ?? seen
      return [family, Math.exp(seen * networkWeight + other * (1 - networkWeight))]
    }),
  )
  const shares = shareByFamily(clusters)
  const families = rank(
    combined.map(({ value, probability }) => [
      value,
      (probability * (1 - countedWeight) + (shares.get(value) ?? 0) * countedWeight) ** (1 / temperature),
    ]),
  )
  const main = clusterOf(clusters, families[0]?.value)
  return {
    ranked: families.map(({ value, probability }) => ({ value: colourName(value, clusters), probability })),
    hex: main === undefined ? '#808080' : toHex(main.rgb),
  }
}

interface NamedCluster extends ColourCluster {
  readonly names: readonly string[]
  readonly family: string
}

function withNames(cluster: ColourCluster): NamedCluster {
  const names = nameColour(cluster.lab).map(({ name }) => name)
  return { ...cluster, names, family: familyOf(names[0] ?? '') ?? '' }
}

function shareByFamily(clusters: readonly NamedCluster[]): Map<string, number> {
  const shares = new Map<string, number>()
  for (const { family, share } of clusters) shares.set(family, (shares.get(family) ?? 0) + share)
  return shares
}

/** Returns the largest cluster of the family, or else the largest cluster. */
function clusterOf(clusters: readonly NamedCluster[], family: string | undefined): NamedCluster | undefined {
  return clusters.find((cluster) => cluster.family === family) ?? clusters[0]
}

/** Returns the family's name nearest to the cloth, or the family itself if the cloth has no such colour. */
function colourName(family: string, clusters: readonly NamedCluster[]): string {
  return clusters.find((cluster) => cluster.family === family)?.names[0] ?? family
}

function toHex(rgb: readonly number[]): string {
  return `#${rgb.map((value) => Math.round(value).toString(16).padStart(2, '0')).join('')}`
}
