import { type Item, sleeved, sleeveless, sizesOfTop, topFits } from './types.ts'

export const jersey = {
  'T-Shirt': {
    category: 'Clothing',
    build: 'top',
    closure: { Pullover: 0.97, Button: 0.02, Zip: 0.01 },
    fabric: { Jersey: 0.9, 'Rib Knit': 0.06, Linen: 0.04 },
    fit: topFits,
    measurements: sleeved,
    sizes: {
      "Men's": sizesOfTop([52, 3], [72, 3], [45, 2.5], [21, 2]),
      "Women's": sizesOfTop([46, 4], [63, 4], [39, 3], [16, 3]),
    },
  },
  'Long-Sleeve T-Shirt': {
    category: 'Clothing',
    build: 'top',
    closure: { Pullover: 0.87, Button: 0.07, Zip: 0.04, Snap: 0.02 },
    fabric: { Jersey: 0.85, 'Rib Knit': 0.1, 'Technical / Nylon': 0.05 },
    fit: topFits,
    measurements: sleeved,
    sizes: {
      "Men's": sizesOfTop([52, 3], [72, 3], [45, 2.5], [63, 3]),
      "Women's": sizesOfTop([46, 4], [63, 4], [39, 3], [59, 3]),
    },
  },
  'Tank Top': {
    category: 'Clothing',
    build: 'top',
    closure: { Pullover: 0.96, Button: 0.03, Zip: 0.01 },
    fabric: { Jersey: 0.8, 'Rib Knit': 0.2 },
    fit: topFits,
    measurements: sleeveless,
    sizes: { "Men's": sizesOfTop([49, 3], [70, 3]), "Women's": sizesOfTop([43, 4], [62, 4]) },
  },
  'Polo Shirt': {
    category: 'Clothing',
    build: 'top',
    closure: { Button: 0.97, Zip: 0.02, Pullover: 0.01 },
    fabric: { Piqué: 0.75, Jersey: 0.25 },
    fit: topFits,
    measurements: sleeved,
    sizes: {
      "Men's": sizesOfTop([52, 3], [71, 3], [44, 2.5], [22, 2]),
      "Women's": sizesOfTop([46, 4], [62, 4], [37, 3], [16, 3]),
    },
  },
  Bodysuit: {
    category: 'Clothing',
    build: 'one-piece',
    closure: { Snap: 0.94, Pullover: 0.03, Zip: 0.03 },
    fabric: { Jersey: 0.85, 'Rib Knit': 0.15 },
    fit: topFits,
    measurements: ['Chest', 'Length', 'Shoulder', 'Sleeve Length'],
    // Made from a newborn's size to an adult's: no size is usual.
    sizes: {},
  },
} as const satisfies Readonly<Record<string, Item>>
