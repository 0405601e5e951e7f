import { type Item, sizesOfTop, sleevedTop, sleevelessTop, topFits } from './types.ts'

export const jersey = {
  'T-Shirt': {
    ...sleevedTop,
    closure: ['Pullover', 'Button', 'Zip'],
    fabric: ['Jersey', 'Rib Knit', 'Knit', 'Woven', 'Linen', 'Technical'],
    usualSleeve: 'Short',
    sizes: {
      "Men's": sizesOfTop([52, 3], [72, 3], [45, 2.5], [21, 2]),
      "Women's": sizesOfTop([46, 4], [63, 4], [39, 3], [16, 3]),
    },
  },
  'Long-Sleeve T-Shirt': {
    ...sleevedTop,
    closure: ['Pullover', 'Button', 'Zip', 'Snap'],
    fabric: ['Jersey', 'Rib Knit', 'Knit', 'Technical'],
    sizes: {
      "Men's": sizesOfTop([52, 3], [72, 3], [45, 2.5], [63, 3]),
      "Women's": sizesOfTop([46, 4], [63, 4], [39, 3], [59, 3]),
    },
  },
  'Tank Top': {
    ...sleevelessTop,
    closure: ['Pullover', 'Button', 'Zip'],
    fabric: ['Jersey', 'Rib Knit', 'Knit', 'Woven', 'Chiffon', 'Satin', 'Technical'],
    sizes: { "Men's": sizesOfTop([49, 3], [70, 3]), "Women's": sizesOfTop([43, 4], [62, 4]) },
  },
  'Polo Shirt': {
    ...sleevedTop,
    closure: ['Button', 'Zip', 'Pullover'],
    fabric: ['Jersey', 'Piqué', 'Technical'],
    usualSleeve: 'Short',
    sizes: {
      "Men's": sizesOfTop([52, 3], [71, 3], [44, 2.5], [22, 2]),
      "Women's": sizesOfTop([46, 4], [62, 4], [37, 3], [16, 3]),
    },
  },
  Bodysuit: {
    category: 'Clothing',
    build: 'one-piece',
    closure: ['Snap', 'Pullover', 'Zip'],
    fabric: ['Jersey', 'Rib Knit'],
    fit: topFits,
    measurements: ['Chest', 'Length', 'Shoulder', 'Sleeve Length'],
    // Made from a newborn's size to an adult's: no size is usual.
    sizes: {},
  },
} as const satisfies Readonly<Record<string, Item>>
