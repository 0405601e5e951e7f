import type { Item } from './types.ts'

export const accessories = {
  Hat: {
    category: 'Accessories',
    build: 'hat',
    closure: ['Slip-On'],
    fabric: ['Jersey', 'Knit', 'Denim', 'Woven', 'Twill', 'Leather', 'Fleece', 'Wool', 'Felt', 'Straw'],
    measurements: ['Width', 'Height'],
    sizes: {},
  },
  Bag: {
    category: 'Accessories',
    build: 'bag',
    closure: ['Open', 'Zip', 'Snap', 'Buckle'],
    fabric: ['Knit', 'Denim', 'Woven', 'Leather', 'Suede', 'Technical', 'Canvas', 'Straw'],
    measurements: ['Width', 'Height'],
    sizes: { "Women's": { Width: [37, 5], Height: [31, 6] }, "Men's": { Width: [38, 6], Height: [31, 6] } },
  },
  Belt: {
    category: 'Accessories',
    build: 'strip',
    closure: ['Buckle', 'Snap', 'Tie'],
    fabric: ['Knit', 'Woven', 'Leather', 'Suede', 'Canvas', 'Straw'],
    measurements: [],
    sizes: {},
  },
  Scarf: {
    category: 'Accessories',
    build: 'strip',
    closure: ['Open', 'Tie'],
    fabric: ['Jersey', 'Knit', 'Cable Knit', 'Woven', 'Linen', 'Chiffon', 'Satin', 'Silk', 'Lace', 'Fleece', 'Wool'],
    measurements: [],
    sizes: {},
  },
} as const satisfies Readonly<Record<string, Item>>
