import { colourPrototypes } from '../colour/colour-prototypes.ts'
import { itemTypes } from '../taxonomy/item-types.ts'
import { patterns, sleevesOf } from '../taxonomy/values.ts'
import type { Catalogue } from './catalogue-entry.ts'
import { closurePhrase, spoken, withArticle } from './phrases.ts'
import { rankClosure } from './rank-closure.ts'
import { namesFabric, rankFabric } from './rank-fabric.ts'
import { rankFit } from './rank-fit.ts'

const genders = new Map([
  ["Men's", 'male'],
  ["Women's", 'female'],
  ['Unisex', 'unisex'],
])

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
    phrase: ['before', (gender) => gender.toLowerCase()],
    shopifyColumn: 'Google Shopping / Gender',
    googleColumn: 'gender',
    shopWord: (gender) => genders.get(gender) ?? '',
  },
  {
    name: 'Item Type',
    meaning: 'what it is',
    values: itemTypes,
    head: 'type',
    isReviewed: true,
  },
  {
    name: 'Colour',
    meaning: 'the main colour; Multi if none prevails',
    values: [...Object.keys(colourPrototypes), 'Multi'],
    head: 'colour',
    rank: ({ colour }) => colour.ranked,
    isReviewed: true,
    isAlwaysDescribed: true,
    phrase: ['after', (colour) => (colour === 'Multi' ? 'in several colours' : `in ${colour.toLowerCase()}`)],
    isShopifyTag: true,
    shopifyColumn: 'Color (product.metafields.shopify.color-pattern)',
    googleColumn: 'color',
  },
  {
    name: 'Material',
    meaning: 'yours, if you gave one; a picture does not tell it',
    values: 'text',
    source: { client: true },
    shopifyColumn: 'Fabric (product.metafields.shopify.fabric)',
    googleColumn: 'material',
  },
  {
    name: 'Pattern',
    meaning: 'what is on the cloth',
    values: patterns,
    head: 'pattern',
    isReviewed: true,
    phrase: ['before', (pattern) => (pattern === 'Plain' ? undefined : pattern.toLowerCase())],
    isShopifyTag: true,
    googleColumn: 'pattern',
    shopWord: (pattern) => pattern.replace('Plain', 'Solid'),
  },
  {
    name: 'Sleeve',
    meaning: 'its length; of tops, dresses and one-pieces only',
    values: sleevesOf,
    head: 'sleeve',
    isReviewed: true,
  },
  {
    name: 'Fit',
    meaning: 'how close it is cut; not of bags, hats and shoes',
    values: ({ fit }) => fit ?? [],
    rank: ({ itemType, lengths }) => rankFit(itemType, lengths),
    // Ease cannot be seen without a body, so even a clear ratio never gives High confidence.
    maxProbability: 0.84,
    isReviewed: true,
    phrase: ['detail', (fit) => `${withArticle(spoken(fit))} fit`],
    isShopifyTag: true,
  },
  {
    name: 'Closure',
    meaning: 'how it is closed',
    values: ({ closure }) => Object.keys(closure),
    head: 'closure',
    rank: ({ itemType, heads }) => rankClosure(itemType, heads.closure),
    isReviewed: true,
    phrase: ['detail', closurePhrase],
    isShopifyTag: true,
  },
  {
    name: 'Fabric Type',
    meaning: 'what the cloth looks like, not what the fibre is',
    values: ({ fabric }) => Object.keys(fabric),
    rank: ({ itemType, attribute }) => rankFabric(itemType, attribute['Material']),
    // With the item type alone to go by, confidence is Low, but for what the type all but implies (jeans are denim).
    maxProbability: 0.62,
    isSupplied: ({ itemType, attribute }) => namesFabric(itemType, attribute['Material']),
    isReviewed: true,
    phrase: ['detail', (fabric) => `the look of ${fabric.toLowerCase()}`],
    isShopifyTag: true,
    shopifyColumn: 'Fabric (product.metafields.shopify.fabric)',
    googleColumn: 'material',
  },
  {
    name: 'Colour Hex',
    meaning: 'the main colour under neutral light',
    values: 'hex',
    source: { picture: ({ hex }) => hex },
  },
] as const satisfies Catalogue
