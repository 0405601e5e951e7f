import type { ClassProbabilities } from '../look/class-probabilities.ts'
import { type Ranked, rank } from '../rank.ts'
import { itemOf, type ItemType } from '../taxonomy/item-types.ts'

/** Our closures, and the network's classes that show them. */
const SHOWN_AS: Readonly<Record<string, readonly string[]>> = {
  Pullover: ['None'],
  'Open Front': ['None'],
  Open: ['None'],
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

/** How much of the item type's usual closures is heeded beside what is seen: 0 nothing, 1 as if not yet seen by the network. */
const PRIOR_POWER = 0.3

/** The share that a closure keeps of which the network knows no class, such as a toggle. */
const UNSEEN = 0.005

/** Closure from what the network sees, among those that the item type can have. */
export function rankClosure(itemType: ItemType, seen: ClassProbabilities): Ranked {
  return rank(
    Object.entries(itemOf(itemType).closure).map(([value, prior]) => {
      const classes = SHOWN_AS[value] ?? []
      const shown = seen.reduce((sum, [name, share]) => sum + (classes.includes(name) ? share : 0), 0)
      return [value, prior ** PRIOR_POWER * (shown + UNSEEN)]
    }),
  )
}
