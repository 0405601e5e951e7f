import type { Item } from './types.ts'

export const dressesAndSkirts = {
  Dress: {
    category: 'Clothing',
    build: 'top',
    gender: "Women's",
    closure: ['Pullover', 'Button', 'Zip'],
    fabric: ['Jersey', 'Sweatshirt Fleece', 'Knit', 'Denim', 'Woven', 'Chiffon', 'Satin', 'Lace', 'Mesh'],
    fit: ['Bodycon', 'Shift', 'A-Line', 'Fit & Flare'],
    measurements: ['Chest', 'Waist', 'Body Length', 'Shoulder', 'Sleeve Length', 'Hem'],
    sizes: { "Women's": { Chest: [46, 4], Waist: [38, 4], Shoulder: [37, 4], 'Sleeve Length': [40, 22] } },
  },
  Jumpsuit: {
    category: 'Clothing',
    build: 'one-piece',
    closure: ['Zip', 'Snap', 'Pullover', 'Buckle', 'Button'],
    fabric: ['Jersey', 'Denim', 'Woven', 'Fleece', 'Quilted', 'Technical'],
    fit: ['Slim', 'Regular', 'Relaxed'],
    measurements: ['Chest', 'Length', 'Shoulder', 'Sleeve Length'],
    // Made from a newborn's size to an adult's: no size is usual.
    sizes: {},
  },
  Skirt: {
    category: 'Clothing',
    build: 'skirt',
    gender: "Women's",
    closure: ['Elasticated', 'Zip', 'Button & Zip', 'Button', 'Drawstring', 'Buckle'],
    fabric: [
      'Jersey',
      'Denim',
      'Woven',
      'Linen',
      'Chiffon',
      'Satin',
      'Lace',
      'Leather',
      'Suede',
      'Wool',
      'Corduroy',
      'Velvet',
      'Mesh',
    ],
    fit: ['Pencil', 'Straight', 'A-Line', 'Full'],
    measurements: ['Waist', 'Hip', 'Length', 'Hem'],
    sizes: { "Women's": { Waist: [36, 3], Hip: [50, 4] } },
  },
} as const satisfies Readonly<Record<string, Item>>
