import { type Item, sleeved, sizesOfTop, topFits } from './types.ts'

export const shirtsAndKnitwear = {
  Shirt: {
    category: 'Clothing',
    build: 'top',
    closure: { Button: 0.98, Snap: 0.02 },
    fabric: { Poplin: 0.5, Woven: 0.2, Linen: 0.15, Flannel: 0.08, Denim: 0.07 },
    fit: topFits,
    measurements: sleeved,
    sizes: {
      "Men's": sizesOfTop([54, 3], [76, 3], [46, 2.5], [64, 3]),
      "Women's": sizesOfTop([49, 4], [66, 4], [39, 2.5], [59, 3]),
    },
  },
  Blouse: {
    category: 'Clothing',
    build: 'top',
    gender: "Women's",
    closure: { Pullover: 0.75, Button: 0.22, Zip: 0.015, Tie: 0.015 },
    fabric: { Woven: 0.4, Chiffon: 0.25, Satin: 0.2, Silk: 0.15 },
    fit: topFits,
    measurements: sleeved,
    sizes: { "Women's": { Chest: [49, 4], 'Body Length': [66, 5], Shoulder: [39, 2.5] } },
  },
  Jumper: {
    category: 'Clothing',
    build: 'top',
    closure: { Pullover: 0.93, Zip: 0.05, Button: 0.02 },
    fabric: { Knit: 0.75, 'Cable Knit': 0.1, 'Rib Knit': 0.1, Wool: 0.05 },
    fit: topFits,
    measurements: sleeved,
    sizes: {
      "Men's": sizesOfTop([54, 3], [68, 3], [46, 3], [64, 3]),
      "Women's": sizesOfTop([49, 4], [60, 4], [40, 3], [59, 3]),
    },
  },
  Cardigan: {
    category: 'Clothing',
    build: 'top',
    closure: { Button: 0.42, 'Open Front': 0.42, Zip: 0.13, Snap: 0.03 },
    fabric: { Knit: 0.8, 'Rib Knit': 0.12, 'Cable Knit': 0.08 },
    fit: topFits,
    measurements: sleeved,
    sizes: {
      "Men's": sizesOfTop([54, 3], [68, 4], [46, 3], [64, 3]),
      "Women's": sizesOfTop([49, 4], [65, 8], [39, 3], [59, 3]),
    },
  },
  Sweatshirt: {
    category: 'Clothing',
    build: 'top',
    closure: { Pullover: 0.9, Zip: 0.1 },
    fabric: { 'Sweatshirt Fleece': 0.85, Jersey: 0.15 },
    fit: topFits,
    measurements: sleeved,
    sizes: {
      "Men's": sizesOfTop([56, 4], [69, 3], [50, 4], [62, 3]),
      "Women's": sizesOfTop([53, 5], [63, 5], [46, 5], [59, 4]),
    },
  },
  Hoodie: {
    category: 'Clothing',
    build: 'top',
    closure: { Zip: 0.54, Pullover: 0.46 },
    fabric: { 'Sweatshirt Fleece': 0.88, Jersey: 0.12 },
    fit: topFits,
    measurements: sleeved,
    sizes: {
      "Men's": sizesOfTop([56, 4], [69, 3], [50, 4], [62, 3]),
      "Women's": sizesOfTop([53, 5], [63, 5], [46, 5], [59, 4]),
    },
  },
} as const satisfies Readonly<Record<string, Item>>
