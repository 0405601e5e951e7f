import { type Item, sizesOfTop, sleevedTop, sleevelessTop } from './types.ts'

export const outerwear = {
  Jacket: {
    ...sleevedTop,
    closure: ['Zip', 'Button', 'Snap', 'Open Front'],
    fabric: [
      'Jersey',
      'Sweatshirt Fleece',
      'Knit',
      'Denim',
      'Woven',
      'Linen',
      'Satin',
      'Leather',
      'Suede',
      'Fleece',
      'Quilted',
      'Technical',
      'Wool',
      'Corduroy',
      'Velvet',
    ],
    sizes: {
      "Men's": sizesOfTop([57, 3], [69, 4], [47, 2.5], [64, 3]),
      "Women's": sizesOfTop([51, 4], [60, 4], [41, 3], [60, 3]),
    },
  },
  Coat: {
    ...sleevedTop,
    closure: ['Zip', 'Button', 'Snap', 'Toggle', 'Tie'],
    fabric: ['Woven', 'Twill', 'Suede', 'Fleece', 'Quilted', 'Technical', 'Wool', 'Rubber'],
    sizes: {
      "Men's": sizesOfTop([58, 3], [95, 12], [47, 2.5], [65, 3]),
      "Women's": sizesOfTop([52, 4], [98, 14], [41, 3], [61, 3]),
    },
  },
  Blazer: {
    ...sleevedTop,
    closure: ['Button', 'Open Front'],
    fabric: ['Jersey', 'Knit', 'Denim', 'Woven', 'Twill', 'Linen', 'Satin', 'Wool', 'Corduroy', 'Velvet'],
    sizes: {
      "Men's": sizesOfTop([54, 3], [74, 3], [45, 2], [64, 2.5]),
      "Women's": sizesOfTop([48, 4], [68, 5], [40, 2.5], [60, 3]),
    },
  },
  Waistcoat: {
    ...sleevelessTop,
    closure: ['Zip', 'Button', 'Open Front', 'Snap'],
    fabric: [
      'Knit',
      'Cable Knit',
      'Denim',
      'Woven',
      'Linen',
      'Leather',
      'Suede',
      'Fleece',
      'Quilted',
      'Technical',
      'Wool',
      'Velvet',
    ],
    sizes: { "Men's": sizesOfTop([55, 4], [67, 5]), "Women's": sizesOfTop([49, 4], [61, 5]) },
  },
} as const satisfies Readonly<Record<string, Item>>
