import type { Item, Size } from './types.ts'

const legFits = ['Skinny', 'Slim', 'Straight', 'Tapered', 'Wide Leg'] as const
const legged = ['Waist', 'Hip', 'Front Rise', 'Inseam', 'Outseam', 'Thigh', 'Leg Opening'] as const

const sizesOfLegs = (waist: Size, hip: Size, rise: Size, inseam: Size, outseam: Size) => ({
  Waist: waist,
  Hip: hip,
  'Front Rise': rise,
  Inseam: inseam,
  Outseam: outseam,
})

const trouserSizes = {
  "Men's": sizesOfLegs([42.5, 2], [51, 3], [28, 2], [79, 4], [104, 4]),
  "Women's": sizesOfLegs([38, 3], [48, 3], [27, 3], [76, 4], [101, 4]),
}

export const trousers = {
  Trousers: {
    category: 'Clothing',
    build: 'legs',
    closure: { 'Button & Zip': 0.46, Elasticated: 0.46, Drawstring: 0.07, Zip: 0.01 },
    fabric: { Twill: 0.55, Woven: 0.25, Wool: 0.1, Jersey: 0.1 },
    fit: legFits,
    measurements: legged,
    sizes: trouserSizes,
    plural: true,
  },
  Jeans: {
    category: 'Clothing',
    build: 'legs',
    closure: { 'Button & Zip': 0.9, Elasticated: 0.07, Drawstring: 0.03 },
    fabric: { Denim: 0.99, Twill: 0.01 },
    fit: legFits,
    measurements: legged,
    sizes: trouserSizes,
    plural: true,
  },
  Joggers: {
    category: 'Clothing',
    build: 'legs',
    closure: { Elasticated: 0.66, Drawstring: 0.34 },
    fabric: { 'Sweatshirt Fleece': 0.6, Jersey: 0.25, 'Technical / Nylon': 0.15 },
    fit: legFits,
    measurements: legged,
    sizes: {
      "Men's": sizesOfLegs([38, 4], [54, 4], [30, 3], [76, 4], [103, 4]),
      "Women's": sizesOfLegs([34, 4], [50, 4], [29, 3], [73, 4], [100, 4]),
    },
    plural: true,
  },
  Leggings: {
    category: 'Clothing',
    build: 'legs',
    closure: { Elasticated: 0.98, Drawstring: 0.02 },
    fabric: { Jersey: 0.7, 'Technical / Nylon': 0.3 },
    fit: ['Skinny', 'Slim'],
    measurements: legged,
    sizes: { "Women's": sizesOfLegs([31, 4], [40, 4], [26, 3], [68, 6], [91, 6]) },
    plural: true,
  },
  Shorts: {
    category: 'Clothing',
    build: 'legs',
    closure: { Elasticated: 0.36, 'Button & Zip': 0.35, Drawstring: 0.28, Snap: 0.01 },
    fabric: { Twill: 0.5, Woven: 0.2, Jersey: 0.2, Denim: 0.1 },
    fit: ['Slim', 'Regular', 'Relaxed'],
    measurements: legged,
    sizes: {
      "Men's": { Waist: [42.5, 2.5], Hip: [51, 3], 'Front Rise': [28, 2], Inseam: [20, 4] },
      "Women's": { Waist: [38, 3], Hip: [47, 3], 'Front Rise': [28, 2], Inseam: [9, 4] },
    },
    plural: true,
  },
} as const satisfies Readonly<Record<string, Item>>
