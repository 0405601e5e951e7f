import type { ClassProbabilities } from '../predict/class-probabilities.ts'
import { type Ranked, rank } from '../rank.ts'
import { itemOf, type ItemType } from '../taxonomy/item-types.ts'

/** The network's classes for each of our closures. */
const classesOf: Readonly<Record<string, readonly string[]>> = {
  Pullover: ['None'],
  'Open Front': ['Open', 'None'],
  Open: ['Open', 'None'],
  Button: ['Buttons', 'Placket'],
  Snap: ['Snap'],
  Zip: ['Zip', 'Half Zip'],
  'Button & Zip': ['Fly'],
  Elasticated: ['Elastic'],
  Drawstring: ['Drawstring'],
  Tie: ['Lace'],
  'Lace-Up': ['Lace'],
  Buckle: ['Buckle'],
  'Slip-On': ['Slip-On', 'None'],
}

/** The weight of a closure for which the network has no class, such as a toggle. */
const minWeight = 0.005

/** Closure from what the network sees, among those that the item type can have. */
export function rankClosure(itemType: ItemType, seen: ClassProbabilities): Ranked {
  return rank(
    itemOf(itemType).closure.map((value) => {
      const classes = classesOf[value] ?? []
      const shown = seen.reduce((sum, [name, share]) => sum + (classes.includes(name) ? share : 0), 0)
      return [value, shown + minWeight]
    }),
  )
}
