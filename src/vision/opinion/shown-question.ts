import type { Question } from '../opinion.ts'
import type { ClassProbabilities } from '../predict/class-probabilities.ts'
import type { Shown } from '../scene.ts'
import type { Combine } from './combine.ts'

/** By the network's class. Whether there are several garments is the outline's to say. */
const shownByClass = {
  Flat: 'flat',
  Hanging: 'hanging',
  Folded: 'folded',
  Cut: 'detail',
  Worn: 'worn',
  Back: 'back',
} as const satisfies Readonly<Record<string, Shown>>

const meanings: Readonly<Record<Exclude<Shown, 'several'>, string>> = {
  flat: 'laid out flat, or cut out of a picture of that kind',
  hanging: 'on a hanger, a hook or a dummy',
  folded: 'folded, so that a part of it lies under another',
  detail: 'only a part of it is in the picture',
  worn: 'a person wears it',
  back: 'a person wears it and is seen from behind',
}

export const shownQuestion: Question = { attribute: 'shown', text: 'How does the image show it?', options: meanings }

const isShownClass = (name: string): name is keyof typeof shownByClass => Object.hasOwn(shownByClass, name)

/** The network's classes, ranked under their names in an answer. */
export const rankShown = (classes: ClassProbabilities) =>
  classes.flatMap(([name, probability]) => (isShownClass(name) ? [{ value: shownByClass[name], probability }] : []))

/** The classes of how a garment is shown, with both opinions. */
export function combineShown(classes: ClassProbabilities, combine: Combine): ClassProbabilities {
  const combined = combine('shown', rankShown(classes))
  return classes.map(([name, probability]) => {
    const value = isShownClass(name) ? shownByClass[name] : undefined
    return [name, combined.find((each) => each.value === value)?.probability ?? probability]
  })
}
