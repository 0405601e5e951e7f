import { probabilityWorn } from '../scene.ts'
import type { ColourReading } from '../colour/rank-colours.ts'
import type { Prediction } from '../network/predict-picture.ts'
import type { Ranked } from '../rank.ts'
import type { Attribute } from '../tagging.ts'
import { itemOf, type ItemType, itemTypes } from '../taxonomy/item-types.ts'
import { type Item, necklinesOf, patterns, sleevesOf } from '../taxonomy/item.ts'
import { colourPrototypes } from '../colour/name-colour.ts'
import { nameParts } from './name-parts.ts'
import {
  closurePhrase,
  colourPhrase,
  fabricPhrase,
  fitPhrase,
  genderPhrase,
  necklinePhrase,
  patternPhrase,
  spoken,
} from './phrases.ts'
import { rankClosure, rankFabric } from './rank-values.ts'

export interface Evidence {
  readonly itemType: ItemType
  readonly heads: Prediction['heads']
  readonly colour: ColourReading
  readonly attribute: Attribute
}

/** Values that an attribute can have. An empty list means that it does not apply to the item type. */
export type AllowedValues = 'text' | 'hex' | readonly string[]

interface Entry {
  readonly name: string
  readonly meaning: string
  readonly values: AllowedValues | ((item: Item) => readonly string[])
  /** Position and words of a value in the description. Position `after` means after the item type. */
  readonly phrase?: readonly [
    place: 'before' | 'after' | 'end' | 'detail',
    words: (value: string) => string | undefined,
  ]
  readonly isShopifyTag?: true
  /** Shopify column of the value. If several attributes share a column, the first with a value fills it. */
  readonly shopifyColumn?: string
  readonly googleColumn?: string
  /** Converts a value to Shopify's and Google's word for it, if that differs. */
  readonly shopWord?: (value: string) => string
}

export interface RankedEntry extends Entry {
  /** Network head that predicts the attribute. Evaluation labels have a column of the same name. */
  readonly head?: string
  /** Computes the ranking, if it is more than selecting the head's classes. */
  readonly rank?: (evidence: Evidence) => Ranked
  readonly isReviewed: boolean
  readonly isAlwaysDescribed?: true
}

interface PlainEntry extends Entry {
  readonly source: {
    readonly client?: true
    readonly itemType?: (item: Item) => string | undefined
    readonly picture?: (colour: ColourReading) => string
    readonly types?: (item: Item, types: Prediction['heads']['type']) => string | undefined
  }
  /** Name of another attribute that this value details. Correcting that attribute removes this value. */
  readonly detailOf?: string
}

export type CatalogueEntry = RankedEntry | PlainEntry

export type Catalogue = readonly CatalogueEntry[]

export function isRanked(entry: CatalogueEntry): entry is RankedEntry {
  return !('source' in entry)
}

export function allValues({ values }: CatalogueEntry): AllowedValues {
  return typeof values === 'function' ? [...new Set(itemTypes.flatMap((itemType) => values(itemOf(itemType))))] : values
}

/** Attributes in the order of the tag. Descriptions, corrections, review, exports and documentation follow from it. */
const catalogue = [
  {
    name: 'Brand',
    meaning: 'the brand that you gave, or that of a photographed label',
    values: 'text',
    source: { client: true },
    phrase: ['end', (brand) => `by ${brand}`],
  },
  {
    name: 'Category',
    meaning: 'the category that you gave, or that of the item type',
    values: ['Clothing', 'Shoes', 'Accessories'],
    source: { client: true, itemType: ({ category }) => category },
  },
  {
    name: 'Gender',
    meaning: 'the wearer that you gave, or that of the item type if it has only one',
    values: ["Men's", "Women's", 'Unisex'],
    source: { client: true, itemType: ({ gender }) => gender },
    phrase: ['before', genderPhrase],
  },
  {
    name: 'Item Type',
    meaning: 'the kind of garment',
    values: itemTypes,
    head: 'type',
    isReviewed: true,
  },
  {
    name: 'Parts',
    meaning: 'only for a Set: its two garments',
    values: 'text',
    source: { types: nameParts },
    detailOf: 'Item Type',
    phrase: ['after', (parts) => `of ${spoken(parts)}`],
  },
  {
    name: 'Colour',
    meaning: 'the main colour; Multi if none prevails',
    values: [...Object.keys(colourPrototypes), 'Multi'],
    head: 'colour',
    rank: ({ colour }) => colour.ranked,
    isReviewed: true,
    isAlwaysDescribed: true,
    phrase: ['after', colourPhrase],
    isShopifyTag: true,
    googleColumn: 'color',
  },
  {
    name: 'Material',
    meaning: 'the fibres that you gave, or those of a photographed label',
    values: 'text',
    source: { client: true },
    shopifyColumn: 'Fabric (product.metafields.custom.fabric)',
    googleColumn: 'material',
  },
  {
    name: 'Pattern',
    meaning: 'the pattern of the cloth',
    values: patterns,
    head: 'pattern',
    isReviewed: true,
    phrase: ['before', patternPhrase],
    isShopifyTag: true,
    googleColumn: 'pattern',
    shopWord: (pattern) => pattern.replace('Plain', 'Solid'),
  },
  {
    name: 'Sleeve',
    meaning: 'the sleeve length; only for tops, dresses, one-pieces and sets',
    values: sleevesOf,
    head: 'sleeve',
    isReviewed: true,
  },
  {
    name: 'Neckline',
    meaning: 'the cut at the neck; only for tops, dresses, one-pieces and sets',
    values: necklinesOf,
    head: 'neckline',
    isReviewed: true,
    phrase: ['detail', necklinePhrase],
    isShopifyTag: true,
    shopifyColumn: 'Neckline (product.metafields.custom.neckline)',
  },
  {
    name: 'Fit',
    meaning: 'how close it is cut; only for clothing, except sets',
    values: ({ fit }) => fit ?? [],
    head: 'fit',
    isReviewed: true,
    phrase: ['detail', fitPhrase],
    isShopifyTag: true,
  },
  {
    name: 'Closure',
    meaning: 'how the garment is closed',
    values: ({ closure }) => closure,
    head: 'closure',
    rank: ({ itemType, heads }) => rankClosure(itemType, heads.closure, heads.type),
    isReviewed: true,
    phrase: ['detail', closurePhrase],
    isShopifyTag: true,
  },
  {
    name: 'Fabric Type',
    meaning: 'what the cloth looks like, not what the fibre is',
    values: ({ fabric }) => fabric,
    head: 'fabric',
    rank: ({ itemType, heads: { fabric, shown }, attribute }) =>
      rankFabric(itemType, fabric, attribute['Material'], probabilityWorn(shown)),
    isReviewed: true,
    phrase: ['detail', fabricPhrase],
    isShopifyTag: true,
    shopifyColumn: 'Fabric (product.metafields.custom.fabric)',
    googleColumn: 'material',
  },
  {
    name: 'Colour Hex',
    meaning: 'the main colour under neutral light; absent if a person changed the colour',
    values: 'hex',
    source: { picture: ({ hex }) => hex },
    detailOf: 'Colour',
  },
] as const satisfies Catalogue

export const attributes: Catalogue = catalogue

export type KnownEntry = (typeof catalogue)[number]
