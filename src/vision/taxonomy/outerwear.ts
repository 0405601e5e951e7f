import { type Item, sleeved, sleeveless, sizesOfTop, topFits } from './types.ts'

export const outerwear = {
  Jacket: {
    category: 'Clothing',
    build: 'top',
    closure: { Zip: 0.75, Button: 0.21, Snap: 0.03, 'Open Front': 0.01 },
    fabric: { Woven: 0.35, 'Technical / Nylon': 0.25, Denim: 0.15, Leather: 0.25 },
    fit: topFits,
    measurements: sleeved,
    sizes: {
      "Men's": sizesOfTop([57, 3], [69, 4], [47, 2.5], [64, 3]),
      "Women's": sizesOfTop([51, 4], [60, 4], [41, 3], [60, 3]),
    },
  },
  Coat: {
    category: 'Clothing',
    build: 'top',
    closure: { Zip: 0.65, Button: 0.25, Snap: 0.05, Toggle: 0.03, Tie: 0.02 },
    fabric: { Wool: 0.45, 'Technical / Nylon': 0.35, Twill: 0.2 },
    fit: topFits,
    measurements: sleeved,
    sizes: {
      "Men's": sizesOfTop([58, 3], [95, 12], [47, 2.5], [65, 3]),
      "Women's": sizesOfTop([52, 4], [98, 14], [41, 3], [61, 3]),
    },
  },
  Blazer: {
    category: 'Clothing',
    build: 'top',
    closure: { Button: 0.97, 'Open Front': 0.03 },
    fabric: { Wool: 0.4, Twill: 0.3, Woven: 0.3 },
    fit: topFits,
    measurements: sleeved,
    sizes: {
      "Men's": sizesOfTop([54, 3], [74, 3], [45, 2], [64, 2.5]),
      "Women's": sizesOfTop([48, 4], [68, 5], [40, 2.5], [60, 3]),
    },
  },
  Waistcoat: {
    category: 'Clothing',
    build: 'top',
    closure: { Zip: 0.66, Button: 0.23, 'Open Front': 0.08, Snap: 0.03 },
    fabric: { 'Technical / Nylon': 0.55, Woven: 0.25, Wool: 0.2 },
    fit: topFits,
    measurements: sleeveless,
    sizes: { "Men's": sizesOfTop([55, 4], [67, 5]), "Women's": sizesOfTop([49, 4], [61, 5]) },
  },
} as const satisfies Readonly<Record<string, Item>>
