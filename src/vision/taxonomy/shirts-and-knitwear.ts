import { type Item, sizesOfTop, sleevedTop } from './types.ts'

export const shirtsAndKnitwear = {
  Shirt: {
    ...sleevedTop,
    closure: ['Button', 'Snap'],
    fabric: ['Denim', 'Woven', 'Poplin', 'Flannel', 'Linen', 'Chiffon', 'Satin', 'Corduroy'],
    sizes: {
      "Men's": sizesOfTop([54, 3], [76, 3], [46, 2.5], [64, 3]),
      "Women's": sizesOfTop([49, 4], [66, 4], [39, 2.5], [59, 3]),
    },
  },
  Blouse: {
    ...sleevedTop,
    gender: "Women's",
    closure: ['Pullover', 'Button', 'Zip', 'Tie'],
    fabric: ['Jersey', 'Woven', 'Linen', 'Chiffon', 'Silk', 'Satin', 'Lace', 'Velvet'],
    sizes: { "Women's": { Chest: [49, 4], 'Body Length': [66, 5], Shoulder: [39, 2.5] } },
  },
  Jumper: {
    ...sleevedTop,
    closure: ['Pullover', 'Zip', 'Button'],
    fabric: ['Jersey', 'Sweatshirt Fleece', 'Rib Knit', 'Knit', 'Cable Knit', 'Wool'],
    sizes: {
      "Men's": sizesOfTop([54, 3], [68, 3], [46, 3], [64, 3]),
      "Women's": sizesOfTop([49, 4], [60, 4], [40, 3], [59, 3]),
    },
  },
  Cardigan: {
    ...sleevedTop,
    closure: ['Button', 'Open Front', 'Zip', 'Snap'],
    fabric: ['Jersey', 'Sweatshirt Fleece', 'Rib Knit', 'Knit', 'Cable Knit', 'Lace'],
    sizes: {
      "Men's": sizesOfTop([54, 3], [68, 4], [46, 3], [64, 3]),
      "Women's": sizesOfTop([49, 4], [65, 8], [39, 3], [59, 3]),
    },
  },
  Sweatshirt: {
    ...sleevedTop,
    closure: ['Pullover', 'Zip'],
    fabric: ['Jersey', 'Sweatshirt Fleece', 'Woven', 'Fleece', 'Technical'],
    sizes: {
      "Men's": sizesOfTop([56, 4], [69, 3], [50, 4], [62, 3]),
      "Women's": sizesOfTop([53, 5], [63, 5], [46, 5], [59, 4]),
    },
  },
  Hoodie: {
    ...sleevedTop,
    closure: ['Zip', 'Pullover'],
    fabric: ['Jersey', 'Sweatshirt Fleece', 'Knit', 'Fleece', 'Technical', 'Velvet'],
    sizes: {
      "Men's": sizesOfTop([56, 4], [69, 3], [50, 4], [62, 3]),
      "Women's": sizesOfTop([53, 5], [63, 5], [46, 5], [59, 4]),
    },
  },
} as const satisfies Readonly<Record<string, Item>>
