import type { Item, Size } from './types.ts'

const legs = {
  category: 'Clothing',
  build: 'legs',
  fit: ['Skinny', 'Slim', 'Straight', 'Tapered', 'Wide Leg', 'Flared'],
  measurements: ['Waist', 'Hip', 'Front Rise', 'Inseam', 'Outseam', 'Thigh', 'Leg Opening'],
  plural: true,
} as const

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
    ...legs,
    closure: ['Button & Zip', 'Elasticated', 'Drawstring', 'Zip'],
    fabric: [
      'Jersey',
      'Rib Knit',
      'Denim',
      'Woven',
      'Twill',
      'Linen',
      'Satin',
      'Leather',
      'Fleece',
      'Technical',
      'Wool',
      'Corduroy',
      'Velvet',
    ],
    sizes: trouserSizes,
  },
  Jeans: {
    ...legs,
    closure: ['Button & Zip', 'Elasticated', 'Drawstring'],
    fabric: ['Denim', 'Twill'],
    sizes: trouserSizes,
  },
  Joggers: {
    ...legs,
    closure: ['Elasticated', 'Drawstring'],
    fabric: ['Jersey', 'Sweatshirt Fleece', 'Woven', 'Technical', 'Velvet'],
    sizes: {
      "Men's": sizesOfLegs([38, 4], [54, 4], [30, 3], [76, 4], [103, 4]),
      "Women's": sizesOfLegs([34, 4], [50, 4], [29, 3], [73, 4], [100, 4]),
    },
  },
  Leggings: {
    ...legs,
    closure: ['Elasticated', 'Drawstring'],
    fabric: ['Jersey', 'Knit', 'Technical'],
    fit: ['Skinny', 'Slim'],
    sizes: { "Women's": sizesOfLegs([31, 4], [40, 4], [26, 3], [68, 6], [91, 6]) },
  },
  Shorts: {
    ...legs,
    closure: ['Elasticated', 'Button & Zip', 'Drawstring', 'Snap'],
    fabric: ['Jersey', 'Sweatshirt Fleece', 'Denim', 'Woven', 'Twill', 'Linen', 'Technical'],
    fit: ['Slim', 'Regular', 'Relaxed'],
    sizes: {
      "Men's": { Waist: [42.5, 2.5], Hip: [51, 3], 'Front Rise': [28, 2], Inseam: [20, 4] },
      "Women's": { Waist: [38, 3], Hip: [47, 3], 'Front Rise': [28, 2], Inseam: [9, 4] },
    },
  },
} as const satisfies Readonly<Record<string, Item>>
