import type { Share } from '../statistics.ts'
import type { PhotoFigures } from './score-photos.ts'

interface Floors {
  readonly itemType: number
  readonly kind: number
  readonly highRight: number
  readonly colour: number
  readonly neckline: number
  readonly outline: number
  readonly answered: number
}

const atHome = { itemType: 0.7, kind: 0.8, highRight: 0.88, colour: 0.8, neckline: 0.65, outline: 0.93, answered: 0.97 }

/** On people, whose garments have no mask; a shop's accessories have a type only. */
const worn = { itemType: 0.45, kind: 0.5, highRight: 0.75, colour: 0.6, neckline: 0.25, outline: 0, answered: 0.9 }

/** Well below what is measured, so that chance in 200 photographs does not fail a build and a broken network does. */
const floorsOf: Readonly<Record<string, Floors>> = {
  validation: atHome,
  senders: atHome,
  studio: { ...atHome, kind: 0.78 },
  worn,
  catalogue: worn,
  accessories: { ...worn, itemType: 0.55, colour: 0, neckline: 0, answered: 0.75 },
  shops: { ...worn, neckline: 0 },
  // All domains together, a third of them worn.
  judges: { itemType: 0.6, kind: 0.72, highRight: 0.86, colour: 0.8, neckline: 0.55, outline: 0.93, answered: 0.96 },
}

/** Minimum share of photographs that the shipped and the held-out networks give the same item type. */
const minAgreement = 0.9

/** The figures that lie below their floor, as sentences. */
export function checkFloors(split: string, figures: PhotoFigures, agreement?: Share): string[] {
  const floors = floorsOf[split] ?? atHome
  const { attributes, kind, outline, noAnswer } = figures
  const measured = [
    ['item type', attributes['Item Type']?.right.value ?? 0, floors.itemType],
    ['kind', kind.value, floors.kind],
    ['item type called High', attributes['Item Type']?.highRight.value ?? 0, floors.highRight],
    ['colour', attributes['Colour']?.right.value ?? 0, floors.colour],
    ['neckline', attributes['Neckline']?.right.value ?? 0, floors.neckline],
    ['outline', outline.mean, floors.outline],
    ['answered', 1 - noAnswer.value, floors.answered],
    ['agreement with the held-out networks', agreement?.value ?? 1, minAgreement],
  ] as const
  return measured.flatMap(([name, value, floor]) =>
    value >= floor ? [] : [`${split}, ${name}: ${value.toFixed(3)} is below the floor of ${floor}`],
  )
}
