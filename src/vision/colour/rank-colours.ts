import type { Mask, Picture } from '../picture.ts'
import { type Ranked, rank } from '../rank.ts'
import { clusterColours, type ColourCluster } from './cluster-colours.ts'
import { familyOf, nameColour } from './name-colour.ts'
import { colourLogProbabilities, colourFamilies } from './colour-model.ts'
import { findPlaces, sampleColours } from './sample-colours.ts'

export interface ColourReading {
  /** The main colour's name first; the alternatives are its neighbours and the garment's other colours. */
  readonly ranked: Ranked
  /** The main colour under neutral light, `#rrggbb`. */
  readonly hex: string
}

/** Weight of the network's log probabilities; the rest is that of the pixels inside the outline. */
const networkWeight = 0.6

/** Weight of the colours' shares of the cloth, which adds a second colour to the alternatives. */
const countedWeight = 0.15

/** All of them together are underconfident. This and both weights were fitted on people who were not in training. */
const temperature = 0.6

/**
 * Names the garment's main colour: the family by the colour model and the network, and the name in it that is nearest
 * to the cloth.
 * @param seen the network's probabilities by family
 */
export function rankColours(picture: Picture, mask: Mask, seen: readonly (readonly [string, number])[]): ColourReading {
  const places = findPlaces(mask)
  const clusters = clusterColours(picture, mask, places).map(withNames)
  const samples = sampleColours(picture, places)
  const byPixels = samples.inside.length === 0 ? undefined : colourLogProbabilities(samples)
  const network = new Map(seen)
  const learned = rank(
    colourFamilies.map((family, index) => {
      const seen = Math.log(Math.max(1e-6, network.get(family) ?? 0))
      const other = byPixels?.[index] ?? seen
      return [family, Math.exp(seen * networkWeight + other * (1 - networkWeight))]
    }),
  )
  const counted = shareByFamily(clusters)
  const families = rank(
    learned.map(({ value, probability }) => [
      value,
      (probability * (1 - countedWeight) + (counted.get(value) ?? 0) * countedWeight) ** (1 / temperature),
    ]),
  )
  const main = clusterOf(clusters, families[0]?.value)
  return {
    ranked: families.map(({ value, probability }) => ({ value: colourName(value, clusters), probability })),
    hex: main === undefined ? '#808080' : toHex(main.rgb),
  }
}

interface NamedCluster extends ColourCluster {
  /** All names, nearest first. */
  readonly names: readonly string[]
  /** The nearest name's family. */
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

/** The largest cluster of the family, or else the largest. */
function clusterOf(clusters: readonly NamedCluster[], family: string | undefined): NamedCluster | undefined {
  return clusters.find((cluster) => cluster.family === family) ?? clusters[0]
}

/** The family's name that is nearest to the cloth; the family itself if the cloth has no such colour. */
function colourName(family: string, clusters: readonly NamedCluster[]): string {
  return clusters.find((cluster) => cluster.family === family)?.names[0] ?? family
}

function toHex(rgb: readonly number[]): string {
  return `#${rgb.map((value) => Math.round(value).toString(16).padStart(2, '0')).join('')}`
}
