import { difference, type Lab, toLab } from './colour-spaces.ts'

/** sRGB prototypes of cloth colours, several for each name, in light and shade. CSS colours of the same name differ. */
export const colourPrototypes: Readonly<Record<string, readonly string[]>> = {
  Black: ['#0c0c0d', '#1d1d1f', '#252427'],
  Charcoal: ['#36373a', '#414347', '#4a4b4f'],
  Grey: ['#6b6c6e', '#838486', '#9b9c9e'],
  'Light Grey': ['#b4b5b7', '#c4c5c7', '#d3d4d6'],
  White: ['#f2f2f2', '#fbfbfb', '#e9e9ea'],
  'Off White': ['#f2eee3', '#e8e4d9'],
  Cream: ['#f3e7c9', '#ecdfbe', '#faefd0'],
  Beige: ['#d9c7a9', '#cfbd9e', '#e2d2b6'],
  Tan: ['#c79e70', '#bd9568', '#d2ab80'],
  Camel: ['#b9854a', '#ad7c44', '#c69052'],
  Taupe: ['#8b7d6f', '#7c7064', '#9b8c7d'],
  Brown: ['#6f472c', '#7d5336', '#5f3c26'],
  'Dark Brown': ['#422b20', '#38251c', '#4d3326'],
  Khaki: ['#a0946a', '#948960', '#b0a478'],
  Olive: ['#646534', '#57592d', '#73733d'],
  Sage: ['#9fad90', '#90a082', '#b0bd9f'],
  Green: ['#2a8448', '#1f7a3e', '#3c9a5a', '#1e9e50'],
  'Dark Green': ['#1a4430', '#15382a', '#235239'],
  Mint: ['#aae0c5', '#9cd6b9', '#bcead2'],
  Lime: ['#b0d43a', '#a2c832', '#c2e04e'],
  Teal: ['#107074', '#0e6266', '#1a8084'],
  Turquoise: ['#3ec2c2', '#32b2b4', '#58d0ce'],
  'Light Blue': ['#a4c8e6', '#94badd', '#b8d6ee'],
  Blue: ['#2c68be', '#2560b0', '#3b78cc', '#3f8ad8'],
  'Royal Blue': ['#283cc4', '#2034b0', '#3048d4'],
  Navy: ['#1f294c', '#192140', '#27335c', '#1f3a6d'],
  'Denim Blue': ['#506e96', '#466289', '#5e7da5'],
  Purple: ['#68348a', '#5a2a7a', '#78429c'],
  Lavender: ['#c0aede', '#b2a0d2', '#cebfe6'],
  Mauve: ['#a48096', '#967388', '#b38fa4'],
  Plum: ['#56244c', '#4a1e42', '#642c58'],
  Pink: ['#f2aabe', '#ea9cb2', '#f6bccc'],
  Blush: ['#ecd0ca', '#e4c6c0', '#f2dbd6'],
  'Hot Pink': ['#e42c84', '#d42478', '#ee4696'],
  Coral: ['#f87664', '#ee6a58', '#fa8a7a'],
  Peach: ['#fac8a4', '#f2bd98', '#fcd4b6'],
  Red: ['#c81e2a', '#b81824', '#da2a36'],
  Burgundy: ['#6c182a', '#5e1424', '#7c2034'],
  Rust: ['#a84c26', '#9a4422', '#b8582e'],
  Orange: ['#f27e1c', '#e67416', '#f78e34'],
  Mustard: ['#d09e2a', '#c29224', '#dcac3c'],
  Yellow: ['#f8dc3c', '#f0d22e', '#fae45e'],
}

export const coloursOfFamily: Readonly<Record<string, readonly string[]>> = {
  Black: ['Black'],
  White: ['White', 'Off White'],
  Grey: ['Grey', 'Light Grey', 'Charcoal'],
  Navy: ['Navy'],
  Blue: ['Blue', 'Light Blue', 'Royal Blue', 'Denim Blue'],
  Turquoise: ['Turquoise', 'Teal', 'Mint'],
  Green: ['Green', 'Dark Green', 'Olive', 'Sage', 'Lime'],
  Yellow: ['Yellow', 'Mustard'],
  Orange: ['Orange', 'Peach', 'Rust'],
  Red: ['Red', 'Burgundy'],
  Pink: ['Pink', 'Hot Pink', 'Coral', 'Blush'],
  Purple: ['Purple', 'Lavender', 'Mauve', 'Plum'],
  Brown: ['Brown', 'Dark Brown', 'Camel', 'Taupe'],
  Beige: ['Beige', 'Cream', 'Tan', 'Khaki'],
  Multi: ['Multi'],
}

export function familyOf(name: string): string | undefined {
  return Object.entries(coloursOfFamily).find(([, names]) => names.includes(name))?.[0]
}

export interface NamedColour {
  readonly name: string
  readonly probability: number
  /** CIEDE2000 difference from the name's nearest prototype. */
  readonly distance: number
}

export const labPrototypes = Object.entries(colourPrototypes).map(([name, hexes]) => ({
  name,
  family: familyOf(name) ?? '',
  labs: hexes.map(fromHex),
}))

/** Additional CIEDE2000 difference that divides a colour name's probability by e. */
const temperature = 2.2

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
