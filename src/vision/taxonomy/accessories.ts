import type { Item } from './types.ts'

export const accessories = {
  Hat: {
    category: 'Accessories',
    build: 'hat',
    closure: { 'Slip-On': 1 },
    fabric: { Knit: 0.5, Twill: 0.35, Straw: 0.15 },
    measurements: ['Width', 'Height'],
    sizes: {},
  },
  Bag: {
    category: 'Accessories',
    build: 'bag',
    closure: { Open: 0.4, Zip: 0.3, Snap: 0.2, Buckle: 0.1 },
    fabric: { Leather: 0.5, Canvas: 0.35, 'Technical / Nylon': 0.15 },
    measurements: ['Width', 'Height'],
    sizes: { "Women's": { Width: [37, 5], Height: [31, 6] }, "Men's": { Width: [38, 6], Height: [31, 6] } },
  },
} as const satisfies Readonly<Record<string, Item>>
