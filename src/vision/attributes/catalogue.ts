import { colourPrototypes } from '../colour/colour-prototypes.ts'
import { itemTypes } from '../taxonomy/item-types.ts'
import { typeMeanings } from '../taxonomy/type-meanings.ts'
import { necklinesOf, patterns, sleevesOf } from '../taxonomy/values.ts'
import type { Catalogue } from './catalogue-entry.ts'
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
import { rankClosure } from './rank-closure.ts'
import { rankFabric } from './rank-fabric.ts'

/**
 * The attributes of a tag, in its order. The tag, its description, corrections, the review, exports, the description of
 * the API and the documentation are derived from this list.
 */
export const catalogue = [
  {
    name: 'Brand',
    meaning: 'yours, if you gave one; a picture does not tell it',
    values: 'text',
    source: { client: true },
    phrase: ['end', (brand) => `by ${brand}`],
  },
  {
    name: 'Category',
    meaning: 'yours, if you gave one; otherwise that of the item type',
    values: ['Clothing', 'Shoes', 'Accessories'],
    source: { client: true, itemType: ({ category }) => category },
  },
  {
    name: 'Gender',
    meaning: 'yours, if you gave one; otherwise only where the item type alone tells',
    values: ["Men's", "Women's", 'Unisex'],
    source: { client: true, itemType: ({ gender }) => gender },
    phrase: ['before', genderPhrase],
  },
  {
    name: 'Item Type',
    meaning: 'what it is',
    values: itemTypes,
    head: 'type',
    question: 'What is it?',
    valueMeanings: typeMeanings,
    isReviewed: true,
  },
  {
    name: 'Parts',
    meaning: 'of a Set only: the two garments it consists of',
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
    meaning: 'yours, if you gave one; a picture does not tell it',
    values: 'text',
    source: { client: true },
    shopifyColumn: 'Fabric (product.metafields.custom.fabric)',
    googleColumn: 'material',
  },
  {
    name: 'Pattern',
    meaning: 'what is on the cloth',
    values: patterns,
    head: 'pattern',
    question: 'What pattern does its cloth have?',
    isReviewed: true,
    phrase: ['before', patternPhrase],
    isShopifyTag: true,
    googleColumn: 'pattern',
    shopWord: (pattern) => pattern.replace('Plain', 'Solid'),
  },
  {
    name: 'Sleeve',
    meaning: 'its length; of tops, dresses and one-pieces only',
    values: sleevesOf,
    head: 'sleeve',
    question: 'How long are its sleeves?',
    isReviewed: true,
  },
  {
    name: 'Neckline',
    meaning: 'how it is cut at the neck; of tops, dresses and one-pieces only',
    values: necklinesOf,
    head: 'neckline',
    question: 'How is it cut at the neck?',
    isReviewed: true,
    phrase: ['detail', necklinePhrase],
    isShopifyTag: true,
    shopifyColumn: 'Neckline (product.metafields.custom.neckline)',
  },
  {
    name: 'Fit',
    meaning: 'how close it is cut; not of bags, hats and shoes',
    values: ({ fit }) => fit ?? [],
    head: 'fit',
    question: 'How close to the body, and in what shape, is it cut?',
    isReviewed: true,
    phrase: ['detail', fitPhrase],
    isShopifyTag: true,
  },
  {
    name: 'Closure',
    meaning: 'how it is closed',
    values: ({ closure }) => closure,
    head: 'closure',
    question: 'How is it closed?',
    rank: ({ itemType, heads }) => rankClosure(itemType, heads.closure),
    isReviewed: true,
    phrase: ['detail', closurePhrase],
    isShopifyTag: true,
  },
  {
    name: 'Fabric Type',
    meaning: 'what the cloth looks like, not what the fibre is',
    values: ({ fabric }) => fabric,
    head: 'fabric',
    question: 'What does its cloth look like?',
    rank: ({ itemType, heads, attribute }) => rankFabric(itemType, heads.fabric, attribute['Material']),
    isReviewed: true,
    phrase: ['detail', fabricPhrase],
    isShopifyTag: true,
    shopifyColumn: 'Fabric (product.metafields.custom.fabric)',
    googleColumn: 'material',
  },
  {
    name: 'Colour Hex',
    meaning: 'the main colour under neutral light; absent where a person changed the colour',
    values: 'hex',
    source: { picture: ({ hex }) => hex },
    detailOf: 'Colour',
  },
] as const satisfies Catalogue
