import type { Mask, Picture } from '../picture.ts'
import { type Ranked, rank, scaleRanked } from '../rank.ts'
import { clusterColours, type ColourCluster, type Light, ramp, readLight, sampleCloth } from './cluster-colours.ts'
import { findMainColour } from './main-colour.ts'
import { toLab, toLinear, toSrgb } from './colour-spaces.ts'
import { familyOf, nameColour } from './name-colour.ts'
import { colourLogProbabilities, colourFamilies } from './colour-model.ts'
import { type ColourSamples, findPlaces, sampleColours } from './sample-colours.ts'

export interface ColourReading {
  /** Colour names: the main colour first, then its neighbours and the garment's other colours. */
  readonly ranked: Ranked
  /** Main colour under neutral light as `#rrggbb`. */
  readonly hex: string
}

/** Weight of the network's log probabilities. The rest is the weight of the pixels inside the outline. */
const networkWeight = 0.6

/** Weight of the share of the cloth that each colour family covers. It adds second colours to the alternatives. */
const countedWeight = 0.15

/** Sharpens the combined probabilities, which are underconfident. Fitted with both weights on held-out people. */
const temperature = 0.6

/** Names the main colour. The colour model and the network (`seen`) decide its family, the cloth its name within. */
export function rankColours(picture: Picture, mask: Mask, seen: readonly (readonly [string, number])[]): ColourReading {
  const places = findPlaces(mask)
  const { light, other } = readLight(picture, mask)
  const cloth = sampleCloth(picture, places, light)
  const clusters = clusterColours(cloth).map(withNames)
  const samples = sampleColours(picture, places)
  const likely = rankFamilies(samples, clusters, new Map(seen))
  // The network saw the picture in its own light, so only the pixels tell what it would be in another light.
  const inLight = (gains: Light) =>
    rankFamilies(relight(samples, gains), clusterColours(sampleCloth(picture, places, gains)).map(withNames))
  const inOther = other.probability === 0 ? likely : average(likely, inLight(other.light), other.probability)
  const lamp = inOther[0]?.value === 'Beige' ? lampProbability(samples) : 0
  const families = lamp === 0 ? inOther : average(inOther, inLight(lampLight), lamp)
  const main = cloth.length === 0 ? undefined : findMainColour(picture, places.inside, light, families)
  const [best] = families
  const first = main === undefined || best === undefined ? undefined : nameInFamily(best.value, main)
  const ranked = families.map(({ value, probability }, index) => ({
    value: index === 0 && first !== undefined ? first.name : colourName(value, clusters),
    probability,
  }))
  return {
    ranked: first?.isClose === true ? scaleRanked(ranked, closeNameDoubt) : ranked,
    hex: main === undefined ? '#808080' : toHex(main),
  }
}

function rankFamilies(
  samples: ColourSamples,
  clusters: readonly NamedCluster[],
  network?: ReadonlyMap<string, number>,
) {
  const byPixels = samples.inside.length === 0 ? undefined : colourLogProbabilities(samples)
  const combined = rank(
    colourFamilies.map((family, index) => {
      const byNetwork = network && Math.log(Math.max(1e-6, network.get(family) ?? 0))
      const pixels = byPixels?.[index] ?? byNetwork ?? 0
      return [family, Math.exp((byNetwork ?? pixels) * networkWeight + pixels * (1 - networkWeight))]
    }),
  )
  const shares = shareByFamily(clusters)
  return rank(
    combined.map(({ value, probability }) => [
      value,
      (probability * (1 - countedWeight) + (shares.get(value) ?? 0) * countedWeight) ** (1 / temperature),
    ]),
  )
}

/** Gains that neutralise a warm lamp of about 3,000 K after a camera's incomplete white balance. */
const lampLight: Light = [0.89, 1.08, 1.55]

/** Probability of a warm lamp behind beige cloth, if nothing outside the garment looks neutral. */
const maxLamp = 0.25

/** Shares of neutral surroundings between which the probability of a lamp falls to 0. */
const neutralShares = { from: 0.1, to: 0.35 }

/** Surroundings of at least this CIELAB lightness and at most this chroma look neutral. */
const neutralLimits = { lightness: 45, chroma: 6 }

/** Returns the probability that a warm lamp makes white cloth look beige. Neutral surroundings rule it out. */
function lampProbability({ outside }: ColourSamples): number {
  const count = outside.length / 3
  let neutral = 0
  for (let at = 0; at < outside.length; at += 3) {
    const { l, a, b } = toLab(outside[at]!, outside[at + 1]!, outside[at + 2]!)
    if (l >= neutralLimits.lightness && Math.hypot(a, b) <= neutralLimits.chroma) neutral++
  }
  return maxLamp * (1 - ramp(count === 0 ? 0 : neutral / count, neutralShares))
}

function average(first: Ranked, second: Ranked, weight: number): Ranked {
  const others = new Map(second.map(({ value, probability }) => [value, probability]))
  return rank(
    first.map(({ value, probability }) => [value, probability * (1 - weight) + (others.get(value) ?? 0) * weight]),
  )
}

function relight({ inside, outside }: ColourSamples, light: Light): ColourSamples {
  const convert = (bytes: Uint8Array) =>
    bytes.map((value, at) => Math.round(toSrgb(Math.min(1, toLinear(value) * light[at % 3]!))))
  return { inside: convert(inside), outside: convert(outside) }
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

/** Names of one family are close if their CIEDE2000 differences from the colour differ by less. */
const closeNames = 0.2

/** Factor for all colours if the second name is close. Keeps them below High: recompression may swap the names. */
const closeNameDoubt = 0.84

/** Returns the family's colour name nearest to a colour, and whether a second name is close. */
function nameInFamily(family: string, rgb: readonly [number, number, number]) {
  const [first, second] = nameColour(toLab(...rgb)).filter(({ name }) => familyOf(name) === family)
  if (first === undefined) return { name: family, isClose: false }
  return { name: first.name, isClose: second !== undefined && second.distance - first.distance < closeNames }
}

/** Returns the family's name nearest to the cloth, or the family itself if the cloth has no such colour. */
function colourName(family: string, clusters: readonly NamedCluster[]): string {
  return clusters.find((cluster) => cluster.family === family)?.names[0] ?? family
}

function toHex(rgb: readonly number[]): string {
  return `#${rgb.map((value) => Math.round(value).toString(16).padStart(2, '0')).join('')}`
}
