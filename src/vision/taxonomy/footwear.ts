import type { Item } from './types.ts'

/** No size is usual: the outline of a pair shows no length. A single shoe is measured if the scale is known. */
const shoe = { category: 'Shoes', build: 'shoe', measurements: ['Length'], sizes: {}, plural: true } as const

export const footwear = {
  Shoes: {
    ...shoe,
    closure: ['Slip-On', 'Buckle', 'Lace-Up'],
    fabric: ['Denim', 'Satin', 'Leather', 'Suede', 'Canvas', 'Straw'],
  },
  Trainers: {
    ...shoe,
    closure: ['Lace-Up', 'Buckle', 'Slip-On'],
    fabric: ['Knit', 'Leather', 'Suede', 'Canvas', 'Mesh'],
  },
  Boots: {
    ...shoe,
    // The longest side of a boot may be its shaft, so no length is read from the outline.
    build: 'boot',
    closure: ['Lace-Up', 'Zip', 'Slip-On', 'Buckle', 'Drawstring'],
    fabric: ['Leather', 'Suede', 'Technical', 'Rubber'],
  },
  Sandals: {
    ...shoe,
    closure: ['Slip-On', 'Buckle'],
    fabric: ['Leather', 'Canvas', 'Rubber'],
  },
  Heels: {
    ...shoe,
    gender: "Women's",
    closure: ['Slip-On', 'Buckle'],
    fabric: ['Leather', 'Suede'],
  },
  Slippers: {
    ...shoe,
    closure: ['Slip-On', 'Buckle', 'Zip'],
    fabric: ['Leather', 'Suede', 'Fleece', 'Wool', 'Felt', 'Canvas'],
  },
} as const satisfies Readonly<Record<string, Item>>
