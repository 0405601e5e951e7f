import type { Item } from './types.ts'

/** A photographed pair shows no length that the outline carries: only a calibrated studio's single shoe is measured. */
const footwearMeasurements = ['Length'] as const

export const footwear = {
  Shoes: {
    category: 'Shoes',
    build: 'shoe',
    closure: ['Slip-On', 'Buckle', 'Lace-Up'],
    fabric: ['Denim', 'Satin', 'Leather', 'Suede', 'Canvas', 'Straw'],
    measurements: footwearMeasurements,
    sizes: {},
    plural: true,
  },
  Trainers: {
    category: 'Shoes',
    build: 'shoe',
    closure: ['Lace-Up', 'Buckle', 'Slip-On'],
    fabric: ['Knit', 'Leather', 'Suede', 'Canvas', 'Mesh'],
    measurements: footwearMeasurements,
    sizes: {},
    plural: true,
  },
  Boots: {
    category: 'Shoes',
    build: 'shoe',
    closure: ['Lace-Up', 'Zip', 'Slip-On', 'Buckle', 'Drawstring'],
    fabric: ['Leather', 'Suede', 'Technical', 'Rubber'],
    measurements: footwearMeasurements,
    sizes: {},
    plural: true,
  },
  Sandals: {
    category: 'Shoes',
    build: 'shoe',
    closure: ['Slip-On', 'Buckle'],
    fabric: ['Leather', 'Canvas', 'Rubber'],
    measurements: footwearMeasurements,
    sizes: {},
    plural: true,
  },
  Heels: {
    category: 'Shoes',
    build: 'shoe',
    gender: "Women's",
    closure: ['Slip-On', 'Buckle'],
    fabric: ['Leather', 'Suede'],
    measurements: footwearMeasurements,
    sizes: {},
    plural: true,
  },
  Slippers: {
    category: 'Shoes',
    build: 'shoe',
    closure: ['Slip-On', 'Buckle', 'Zip'],
    fabric: ['Leather', 'Suede', 'Fleece', 'Wool', 'Felt', 'Canvas'],
    measurements: footwearMeasurements,
    sizes: {},
    plural: true,
  },
} as const satisfies Readonly<Record<string, Item>>
