import type { Item } from './types.ts'

/** A photographed pair shows no length that the outline carries: only a calibrated studio's single shoe is measured. */
const footwearMeasurements = ['Length'] as const

export const footwear = {
  Shoes: {
    category: 'Shoes',
    build: 'shoe',
    closure: { 'Slip-On': 0.53, Buckle: 0.32, 'Lace-Up': 0.15 },
    fabric: { Leather: 0.65, Suede: 0.2, Canvas: 0.15 },
    measurements: footwearMeasurements,
    sizes: {},
    plural: true,
  },
  Trainers: {
    category: 'Shoes',
    build: 'shoe',
    closure: { 'Lace-Up': 0.8, Buckle: 0.15, 'Slip-On': 0.05 },
    fabric: { Leather: 0.4, Mesh: 0.35, Canvas: 0.25 },
    measurements: footwearMeasurements,
    sizes: {},
    plural: true,
  },
  Boots: {
    category: 'Shoes',
    build: 'shoe',
    closure: { 'Lace-Up': 0.32, Zip: 0.3, 'Slip-On': 0.22, Buckle: 0.1, Drawstring: 0.06 },
    fabric: { Leather: 0.75, Suede: 0.25 },
    measurements: footwearMeasurements,
    sizes: {},
    plural: true,
  },
  Sandals: {
    category: 'Shoes',
    build: 'shoe',
    closure: { 'Slip-On': 0.65, Buckle: 0.35 },
    fabric: { Leather: 0.7, Canvas: 0.3 },
    measurements: footwearMeasurements,
    sizes: {},
    plural: true,
  },
  Heels: {
    category: 'Shoes',
    build: 'shoe',
    gender: "Women's",
    closure: { 'Slip-On': 0.74, Buckle: 0.26 },
    fabric: { Leather: 0.7, Suede: 0.3 },
    measurements: footwearMeasurements,
    sizes: {},
    plural: true,
  },
  Slippers: {
    category: 'Shoes',
    build: 'shoe',
    closure: { 'Slip-On': 0.53, Buckle: 0.42, Zip: 0.05 },
    fabric: { Felt: 0.5, Canvas: 0.3, Suede: 0.2 },
    measurements: footwearMeasurements,
    sizes: {},
    plural: true,
  },
} as const satisfies Readonly<Record<string, Item>>
