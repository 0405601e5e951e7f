import { colourPrototypes } from './colour-prototypes.ts'
import { difference, type Lab, toLab } from './lab.ts'

export interface NamedColour {
  readonly name: string
  /** Of all names; they sum to 1. */
  readonly probability: number
  /** CIEDE2000 to the name's nearest prototype. */
  readonly distance: number
}

const labPrototypes = Object.entries(colourPrototypes).map(([name, hexes]) => ({ name, labs: hexes.map(fromHex) }))

/** At this much more CIEDE2000, a name is e times less likely. */
const temperature = 2.2

/** All names, likeliest first, by the CIEDE2000 of their nearest prototypes. */
export function nameColour(colour: Lab): NamedColour[] {
  const distances = labPrototypes.map(({ name, labs }) => ({
    name,
    distance: Math.min(...labs.map((lab) => difference(colour, lab))),
  }))
  const nearest = Math.min(...distances.map(({ distance }) => distance))
  const weights = distances.map(({ distance }) => Math.exp((nearest - distance) / temperature))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return distances
    .map(({ name, distance }, index) => ({ name, distance, probability: weights[index]! / total }))
    .sort((a, b) => b.probability - a.probability)
}

function fromHex(hex: string): Lab {
  const value = Number.parseInt(hex.slice(1), 16)
  return toLab(value >> 16, (value >> 8) & 255, value & 255)
}
