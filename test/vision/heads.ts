import { allValues, attributes, type Evidence, isRanked } from '../../src/vision/attributes/catalogue.ts'

type Heads = Evidence['heads']

/** Classes of heads that only need to be the attributes' values here. */
const valuesByHead = Object.fromEntries(
  attributes.filter(isRanked).map((entry) => [entry.head ?? '', [...allValues(entry)]]),
)

const closures = ['None', 'Buttons', 'Zip']

/** Heads that are sure of the first class, except for what is given; the rest is spread evenly. */
export function headsOf(given: Readonly<Record<string, Readonly<Record<string, number>>>>): Heads {
  const classes: Record<string, readonly string[]> = {
    ...valuesByHead,
    closure: closures,
    shown: ['Flat', 'Hanging', 'Folded', 'Cut', 'Worn'],
    presence: ['One', 'None', 'Several'],
  }
  const heads = Object.entries(classes).map(([head, names]) => {
    const own = given[head] ?? { [names[0] ?? '']: 0.98 }
    const rest = 1 - Object.values(own).reduce((sum, each) => sum + each, 0)
    const others = names.filter((name) => !Object.hasOwn(own, name)).length
    return [head, names.map((name) => [name, own[name] ?? rest / others] as const)] as const
  })
  return Object.fromEntries(heads) as unknown as Heads
}

export const colour: Evidence['colour'] = {
  ranked: [{ value: 'Navy', probability: 0.4 }],
  hex: '#1f294c',
} as Evidence['colour']
