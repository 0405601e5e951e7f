import { type Item, type Size, sizesOfTop, sleevedTop, sleevelessTop, topFits, words } from './item.ts'

const accessories = {
  Hat: {
    category: 'Accessories',
    build: 'hat',
    closure: ['Slip-On'],
    fabric: words('Jersey, Knit, Denim, Woven, Twill, Leather, Fleece, Wool, Felt, Straw'),
    measurements: ['Width', 'Height'],
    sizes: {},
  },
  Bag: {
    category: 'Accessories',
    build: 'bag',
    closure: ['Open', 'Zip', 'Snap', 'Buckle'],
    fabric: words('Knit, Denim, Woven, Leather, Suede, Technical, Canvas, Straw'),
    measurements: ['Width', 'Height'],
    sizes: { "Women's": { Width: [37, 5], Height: [31, 6] }, "Men's": { Width: [38, 6], Height: [31, 6] } },
  },
  Belt: {
    category: 'Accessories',
    build: 'strip',
    closure: ['Buckle', 'Snap', 'Tie'],
    fabric: words('Knit, Woven, Leather, Suede, Canvas, Straw'),
    measurements: [],
    sizes: {},
  },
  Scarf: {
    category: 'Accessories',
    build: 'strip',
    closure: ['Open', 'Tie'],
    fabric: words('Jersey, Knit, Cable Knit, Woven, Linen, Chiffon, Satin, Silk, Lace, Fleece, Wool'),
    measurements: [],
    sizes: {},
  },
} as const satisfies Readonly<Record<string, Item>>

const dressesAndSkirts = {
  Dress: {
    category: 'Clothing',
    build: 'top',
    gender: "Women's",
    closure: ['Pullover', 'Button', 'Zip'],
    fabric: words('Jersey, Sweatshirt Fleece, Knit, Denim, Woven, Chiffon, Satin, Lace, Mesh'),
    fit: ['Bodycon', 'Shift', 'A-Line', 'Fit & Flare'],
    measurements: ['Chest', 'Waist', 'Body Length', 'Shoulder', 'Sleeve Length', 'Hem'],
    sizes: { "Women's": { Chest: [46, 4], Waist: [38, 4], Shoulder: [37, 4], 'Sleeve Length': [40, 22] } },
  },
  Jumpsuit: {
    category: 'Clothing',
    build: 'one-piece',
    closure: ['Zip', 'Snap', 'Pullover', 'Buckle', 'Button'],
    fabric: words('Jersey, Denim, Woven, Fleece, Quilted, Technical'),
    fit: ['Slim', 'Regular', 'Relaxed'],
    measurements: ['Chest', 'Length', 'Shoulder', 'Sleeve Length'],
    // No typical size: from newborn to adult.
    sizes: {},
  },
  Skirt: {
    category: 'Clothing',
    build: 'skirt',
    gender: "Women's",
    closure: ['Elasticated', 'Zip', 'Button & Zip', 'Button', 'Drawstring', 'Buckle'],
    fabric: words('Jersey, Denim, Woven, Linen, Chiffon, Satin, Lace, Leather, Suede, Wool, Corduroy, Velvet, Mesh'),
    fit: ['Pencil', 'Straight', 'A-Line', 'Full'],
    measurements: ['Waist', 'Hip', 'Length', 'Hem'],
    sizes: { "Women's": { Waist: [36, 3], Hip: [50, 4] } },
  },
  Set: {
    category: 'Clothing',
    build: 'set',
    closure: ['Pullover', 'Button', 'Zip', 'Open Front'],
    fabric: words(
      'Jersey, Sweatshirt Fleece, Rib Knit, Knit, Woven, Linen, Chiffon, Satin, Silk, Lace, Fleece, Velvet',
    ),
    measurements: [],
    sizes: {},
  },
} as const satisfies Readonly<Record<string, Item>>

/** A pair's outline shows no length, so shoes have no typical size. A single shoe is measured with a known scale. */
const shoe = { category: 'Shoes', build: 'shoe', measurements: ['Length'], sizes: {}, plural: true } as const

const footwear = {
  Shoes: {
    ...shoe,
    closure: ['Slip-On', 'Buckle', 'Lace-Up'],
    fabric: words('Denim, Satin, Leather, Suede, Canvas, Straw'),
  },
  Trainers: {
    ...shoe,
    closure: ['Lace-Up', 'Buckle', 'Slip-On'],
    fabric: words('Knit, Leather, Suede, Canvas, Mesh'),
  },
  Boots: {
    ...shoe,
    // A boot's shaft may be longer than its foot, so the outline shows no length.
    build: 'boot',
    closure: ['Lace-Up', 'Zip', 'Slip-On', 'Buckle', 'Drawstring'],
    fabric: words('Leather, Suede, Technical, Rubber'),
  },
  Sandals: {
    ...shoe,
    closure: ['Slip-On', 'Buckle'],
    fabric: words('Leather, Canvas, Rubber'),
  },
  Heels: {
    ...shoe,
    gender: "Women's",
    closure: ['Slip-On', 'Buckle'],
    fabric: words('Leather, Suede'),
  },
  Slippers: {
    ...shoe,
    closure: ['Slip-On', 'Buckle', 'Zip'],
    fabric: words('Leather, Suede, Fleece, Wool, Felt, Canvas'),
  },
} as const satisfies Readonly<Record<string, Item>>

const jersey = {
  'T-Shirt': {
    ...sleevedTop,
    closure: ['Pullover', 'Button', 'Zip'],
    fabric: words('Jersey, Rib Knit, Knit, Woven, Linen, Technical'),
    usualSleeve: 'Short',
    sizes: {
      "Men's": sizesOfTop([52, 3], [72, 3], [45, 2.5], [21, 2]),
      "Women's": sizesOfTop([46, 4], [63, 4], [39, 3], [16, 3]),
    },
  },
  'Long-Sleeve T-Shirt': {
    ...sleevedTop,
    closure: ['Pullover', 'Button', 'Zip', 'Snap'],
    fabric: words('Jersey, Rib Knit, Knit, Technical'),
    sizes: {
      "Men's": sizesOfTop([52, 3], [72, 3], [45, 2.5], [63, 3]),
      "Women's": sizesOfTop([46, 4], [63, 4], [39, 3], [59, 3]),
    },
  },
  'Tank Top': {
    ...sleevelessTop,
    closure: ['Pullover', 'Button', 'Zip'],
    fabric: words('Jersey, Rib Knit, Knit, Woven, Chiffon, Satin, Technical'),
    sizes: { "Men's": sizesOfTop([49, 3], [70, 3]), "Women's": sizesOfTop([43, 4], [62, 4]) },
  },
  'Polo Shirt': {
    ...sleevedTop,
    closure: ['Button', 'Zip', 'Pullover'],
    fabric: words('Jersey, Piqué, Technical'),
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
    fabric: words('Jersey, Rib Knit'),
    fit: topFits,
    measurements: ['Chest', 'Length', 'Shoulder', 'Sleeve Length'],
    // No typical size: from newborn to adult.
    sizes: {},
  },
} as const satisfies Readonly<Record<string, Item>>

const outerwear = {
  Jacket: {
    ...sleevedTop,
    closure: ['Zip', 'Button', 'Snap', 'Open Front'],
    fabric: words(
      'Jersey, Sweatshirt Fleece, Knit, Denim, Woven, Linen, Satin, Leather, Suede, Fleece, Quilted, Technical, ' +
        'Wool, Corduroy, Velvet',
    ),
    sizes: {
      "Men's": sizesOfTop([57, 3], [69, 4], [47, 2.5], [64, 3]),
      "Women's": sizesOfTop([51, 4], [60, 4], [41, 3], [60, 3]),
    },
  },
  Coat: {
    ...sleevedTop,
    closure: ['Zip', 'Button', 'Snap', 'Toggle', 'Tie'],
    fabric: words('Woven, Twill, Suede, Fleece, Quilted, Technical, Wool, Rubber'),
    sizes: {
      "Men's": sizesOfTop([58, 3], [95, 12], [47, 2.5], [65, 3]),
      "Women's": sizesOfTop([52, 4], [98, 14], [41, 3], [61, 3]),
    },
  },
  Blazer: {
    ...sleevedTop,
    closure: ['Button', 'Open Front'],
    fabric: words('Jersey, Knit, Denim, Woven, Twill, Linen, Satin, Wool, Corduroy, Velvet'),
    sizes: {
      "Men's": sizesOfTop([54, 3], [74, 3], [45, 2], [64, 2.5]),
      "Women's": sizesOfTop([48, 4], [68, 5], [40, 2.5], [60, 3]),
    },
  },
  Waistcoat: {
    ...sleevelessTop,
    closure: ['Zip', 'Button', 'Open Front', 'Snap'],
    fabric: words('Knit, Cable Knit, Denim, Woven, Linen, Leather, Suede, Fleece, Quilted, Technical, Wool, Velvet'),
    sizes: { "Men's": sizesOfTop([55, 4], [67, 5]), "Women's": sizesOfTop([49, 4], [61, 5]) },
  },
} as const satisfies Readonly<Record<string, Item>>

const shirtsAndKnitwear = {
  Shirt: {
    ...sleevedTop,
    closure: ['Button', 'Snap'],
    fabric: words('Denim, Woven, Poplin, Flannel, Linen, Chiffon, Satin, Corduroy'),
    sizes: {
      "Men's": sizesOfTop([54, 3], [76, 3], [46, 2.5], [64, 3]),
      "Women's": sizesOfTop([49, 4], [66, 4], [39, 2.5], [59, 3]),
    },
  },
  Blouse: {
    ...sleevedTop,
    gender: "Women's",
    closure: ['Pullover', 'Button', 'Zip', 'Tie'],
    fabric: words('Jersey, Woven, Linen, Chiffon, Silk, Satin, Lace, Velvet'),
    sizes: { "Women's": { Chest: [49, 4], 'Body Length': [66, 5], Shoulder: [39, 2.5] } },
  },
  Jumper: {
    ...sleevedTop,
    closure: ['Pullover', 'Zip', 'Button'],
    fabric: words('Jersey, Sweatshirt Fleece, Rib Knit, Knit, Cable Knit, Wool'),
    sizes: {
      "Men's": sizesOfTop([54, 3], [68, 3], [46, 3], [64, 3]),
      "Women's": sizesOfTop([49, 4], [60, 4], [40, 3], [59, 3]),
    },
  },
  Cardigan: {
    ...sleevedTop,
    closure: ['Button', 'Open Front', 'Zip', 'Snap'],
    fabric: words('Jersey, Sweatshirt Fleece, Rib Knit, Knit, Cable Knit, Lace'),
    sizes: {
      "Men's": sizesOfTop([54, 3], [68, 4], [46, 3], [64, 3]),
      "Women's": sizesOfTop([49, 4], [65, 8], [39, 3], [59, 3]),
    },
  },
  Sweatshirt: {
    ...sleevedTop,
    closure: ['Pullover', 'Zip'],
    fabric: words('Jersey, Sweatshirt Fleece, Woven, Fleece, Technical'),
    sizes: {
      "Men's": sizesOfTop([56, 4], [69, 3], [50, 4], [62, 3]),
      "Women's": sizesOfTop([53, 5], [63, 5], [46, 5], [59, 4]),
    },
  },
  Hoodie: {
    ...sleevedTop,
    closure: ['Zip', 'Pullover'],
    fabric: words('Jersey, Sweatshirt Fleece, Knit, Fleece, Technical, Velvet'),
    sizes: {
      "Men's": sizesOfTop([56, 4], [69, 3], [50, 4], [62, 3]),
      "Women's": sizesOfTop([53, 5], [63, 5], [46, 5], [59, 4]),
    },
  },
} as const satisfies Readonly<Record<string, Item>>

const legs = {
  category: 'Clothing',
  build: 'legs',
  fit: ['Skinny', 'Slim', 'Straight', 'Tapered', 'Wide Leg', 'Flared'],
  measurements: ['Waist', 'Hip', 'Front Rise', 'Inseam', 'Outseam', 'Thigh', 'Leg Opening'],
  plural: true,
} as const

const sizesOfLegs = (waist: Size, hip: Size, rise: Size, inseam: Size, outseam: Size) => ({
  Waist: waist,
  Hip: hip,
  'Front Rise': rise,
  Inseam: inseam,
  Outseam: outseam,
})

const trouserSizes = {
  "Men's": sizesOfLegs([42.5, 2], [51, 3], [28, 2], [79, 4], [104, 4]),
  "Women's": sizesOfLegs([38, 3], [48, 3], [27, 3], [76, 4], [101, 4]),
}

const trousers = {
  Trousers: {
    ...legs,
    closure: ['Button & Zip', 'Elasticated', 'Drawstring', 'Zip'],
    fabric: words(
      'Jersey, Rib Knit, Denim, Woven, Twill, Linen, Satin, Leather, Fleece, Technical, Wool, Corduroy, Velvet',
    ),
    sizes: trouserSizes,
  },
  Jeans: {
    ...legs,
    closure: ['Button & Zip', 'Elasticated', 'Drawstring'],
    fabric: words('Denim, Twill'),
    sizes: trouserSizes,
  },
  Joggers: {
    ...legs,
    closure: ['Elasticated', 'Drawstring'],
    fabric: words('Jersey, Sweatshirt Fleece, Woven, Technical, Velvet'),
    sizes: {
      "Men's": sizesOfLegs([38, 4], [54, 4], [30, 3], [76, 4], [103, 4]),
      "Women's": sizesOfLegs([34, 4], [50, 4], [29, 3], [73, 4], [100, 4]),
    },
  },
  Leggings: {
    ...legs,
    closure: ['Elasticated', 'Drawstring'],
    fabric: words('Jersey, Knit, Technical'),
    fit: ['Skinny', 'Slim'],
    sizes: { "Women's": sizesOfLegs([31, 4], [40, 4], [26, 3], [68, 6], [91, 6]) },
  },
  Shorts: {
    ...legs,
    closure: ['Elasticated', 'Button & Zip', 'Drawstring', 'Snap'],
    fabric: words('Jersey, Sweatshirt Fleece, Denim, Woven, Twill, Linen, Technical'),
    fit: ['Slim', 'Regular', 'Relaxed'],
    sizes: {
      "Men's": { Waist: [42.5, 2.5], Hip: [51, 3], 'Front Rise': [28, 2], Inseam: [20, 4] },
      "Women's": { Waist: [38, 3], Hip: [47, 3], 'Front Rise': [28, 2], Inseam: [9, 4] },
    },
  },
} as const satisfies Readonly<Record<string, Item>>

const items = {
  ...jersey,
  ...shirtsAndKnitwear,
  ...outerwear,
  ...dressesAndSkirts,
  ...trousers,
  ...footwear,
  ...accessories,
} as const satisfies Readonly<Record<string, Item>>

export type ItemType = keyof typeof items

export type PointOfMeasure = (typeof items)[ItemType]['measurements'][number]

export const itemTypes = Object.keys(items) as ItemType[]

export function itemOf(itemType: ItemType): Item {
  return items[itemType]
}

export function isItemType(name: string): name is ItemType {
  return Object.hasOwn(items, name)
}

export const typeMeanings: Readonly<Record<ItemType, string>> = {
  'T-Shirt': 'short sleeves and no opening at the front, of thin knitted cloth',
  'Long-Sleeve T-Shirt': 'a T-shirt with long or three-quarter sleeves, without the ribs or fleece of a sweatshirt',
  'Tank Top': 'no sleeves, wide or narrow straps, ends at the hip',
  'Polo Shirt': 'a collar and a short row of buttons at the neck, of knitted cloth, with short or long sleeves',
  Bodysuit: 'a top that closes between the legs, of babies and adults',
  Shirt: 'a collar and buttons from top to bottom, of woven cloth',
  Blouse: 'a light or softly falling top of woven cloth, often without a collar or with gathers or ties',
  Jumper: 'knitted so that stitches can be seen, pulled over the head; with sleeves or without',
  Cardigan: 'knitted, open at the front or with buttons or a zip',
  Sweatshirt: 'thick jersey with ribs at neck, cuffs and hem, without a hood',
  Hoodie: 'a sweatshirt with a hood, pulled over the head or with a zip',
  Jacket: 'outerwear that ends at waist or hip: denim, leather, bomber, rain and padded jackets',
  Coat: 'outerwear that ends at the thigh or below, padded ones included',
  Blazer: 'a tailored jacket with lapels',
  Waistcoat: 'open at the front and without sleeves: of a suit, quilted or knitted, gilets included',
  Dress: 'top and skirt in one',
  Jumpsuit: 'top and trousers or shorts in one, dungarees included',
  Set: 'two garments of one cloth or pattern that are sold together: pyjamas, suits, a top with its trousers or skirt',
  Skirt: 'from the waist, without legs',
  Trousers: 'long legs, of woven or knitted cloth, and none of the next three',
  Jeans: 'long legs, of denim',
  Joggers: 'long legs, of jersey or sports cloth, with an elastic or tied waist and often cuffs',
  Leggings: 'close to the leg from waist to ankle, of stretch cloth',
  Shorts: 'legs that end above the knee or at it, denim included',
  Shoes: 'closed low shoes that are neither trainers nor heels: laced shoes, loafers, flats',
  Trainers: 'sports shoes and others with a rubber sole of that kind',
  Boots: 'closed shoes that cover the ankle',
  Sandals: 'open shoes with straps, flip-flops and clogs',
  Heels: 'shoes with a high heel, open or closed',
  Slippers: 'soft shoes for the house',
  Hat: 'whatever is worn on the head: caps, beanies, brimmed hats',
  Bag: 'handbags, backpacks and others to carry',
  Belt: 'worn around the waist, of leather, cloth or chain',
  Scarf: 'worn around the neck or the shoulders',
}
