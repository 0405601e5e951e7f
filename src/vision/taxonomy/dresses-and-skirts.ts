import type { Item } from './types.ts'

export const dressesAndSkirts = {
  Dress: {
    category: 'Clothing',
    build: 'top',
    gender: "Women's",
    closure: { Pullover: 0.8, Button: 0.14, Zip: 0.06 },
    fabric: { Jersey: 0.4, Woven: 0.4, Chiffon: 0.1, Satin: 0.1 },
    fit: ['Bodycon', 'Shift', 'A-Line', 'Fit & Flare'],
    measurements: ['Chest', 'Waist', 'Body Length', 'Shoulder', 'Sleeve Length', 'Hem'],
    sizes: { "Women's": { Chest: [46, 4], Waist: [38, 4], Shoulder: [37, 4], 'Sleeve Length': [40, 22] } },
  },
  Jumpsuit: {
    category: 'Clothing',
    build: 'one-piece',
    closure: { Zip: 0.5, Snap: 0.33, Pullover: 0.08, Buckle: 0.05, Button: 0.04 },
    fabric: { Woven: 0.4, Jersey: 0.4, Denim: 0.1, 'Technical / Nylon': 0.1 },
    fit: ['Slim', 'Regular', 'Relaxed'],
    measurements: ['Chest', 'Length', 'Shoulder', 'Sleeve Length'],
    // Made from a newborn's size to an adult's: no size is usual.
    sizes: {},
  },
  Skirt: {
    category: 'Clothing',
    build: 'skirt',
    gender: "Women's",
    closure: { Elasticated: 0.48, Zip: 0.19, 'Button & Zip': 0.18, Button: 0.08, Drawstring: 0.06, Buckle: 0.01 },
    fabric: { Woven: 0.55, Jersey: 0.25, Denim: 0.1, Satin: 0.1 },
    fit: ['Pencil', 'Straight', 'A-Line'],
    measurements: ['Waist', 'Hip', 'Length', 'Hem'],
    sizes: { "Women's": { Waist: [36, 3], Hip: [50, 4] } },
  },
} as const satisfies Readonly<Record<string, Item>>
