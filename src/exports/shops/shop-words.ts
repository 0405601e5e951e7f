import type { Condition } from '../../garments/listing-values.ts'
import type { Wearer } from '../../vision/attributes/wearer.ts'
import { attributes, type CatalogueEntry } from '../../vision/attributes/attribute-catalogue.ts'
import { type Column, tagText } from '../export-columns.ts'
import type { Product } from './product.ts'
import type { ColumnRule } from './shop-rules.ts'
import { itemOf, type ItemType } from '../../vision/taxonomy/item-types.ts'

const genders: Readonly<Record<Wearer, 'male' | 'female' | 'unisex'>> = {
  men: 'male',
  boys: 'male',
  women: 'female',
  girls: 'female',
  unisex: 'unisex',
  children: 'unisex',
  babies: 'unisex',
}

/** Returns the gender for Shopify and Google; empty if unknown. */
export const genderWord = ({ wearer }: Product): string => (wearer === undefined ? '' : genders[wearer])

/** Returns the condition for Shopify and Google, which have a single word for used garments; empty if unknown. */
export const conditionWord = ({ condition }: Product): string => {
  if (condition === undefined) return ''
  if (condition === 'refurbished') return condition
  return condition === 'new with tags' || condition === 'new without tags' ? 'new' : 'used'
}

/** eBay's condition ids for clothing, the same on every site. */
const ebayConditions: Readonly<Record<Condition, string>> = {
  'new with tags': '1000',
  'new without tags': '1500',
  'new with defects': '1750',
  refurbished: '3000',
  excellent: '2990',
  good: '3000',
  fair: '3010',
  used: '3000',
}

/** Returns eBay's condition id. Only clothing has grades of used condition. */
export function ebayCondition({ condition, itemType }: Product): string {
  if (condition === undefined) return ''
  const id = ebayConditions[condition]
  const isGraded = itemType === undefined || itemOf(itemType).category === 'Clothing'
  return isGraded || !['2990', '3010'].includes(id) ? id : ebayConditions.used
}

/** Returns an attribute's value in the shops' wording; empty if there is none. */
function shopText({ garment }: Product, { name, shopWord }: CatalogueEntry): string {
  const text = tagText(garment, name)
  return text === '' ? '' : (shopWord?.(text) ?? text)
}

/** Builds a column for each name that `columnOf` returns, filled by the first of its attributes with a value. */
export function attributeColumns(
  columnOf: (entry: CatalogueEntry) => string | undefined,
  rules: Readonly<Record<string, ColumnRule>> = {},
): Column<Product>[] {
  const columns = Map.groupBy(attributes, columnOf)
  return [...columns].flatMap(([name, filling]): Column<Product>[] => {
    if (name === undefined) return []
    const textOf = (product: Product) => filling.map((entry) => shopText(product, entry)).find((text) => text !== '')
    return [[name, (product) => textOf(product) ?? '', rules[name] ?? {}]]
  })
}

interface Categories {
  /** Path in Shopify's Standard Product Taxonomy, below “Apparel & Accessories”. */
  readonly shopify: string
  /** Id in Google's product taxonomy. */
  readonly google: string
  /** Ids of leaf categories on eBay.com, which most other sites share. */
  readonly ebay: Readonly<Partial<Record<Wearer, string>>>
}

const clothing = (name: string) => `Clothing > ${name}`
const top = (name: string) => clothing(`Clothing Tops > ${name}`)
const coats = clothing('Outerwear > Coats & Jackets')

/**
 * Each item type's category in the shops' taxonomies. Shopify's paths come from public projects of 2026, Google's ids
 * from its taxonomy of 2021-09-21. eBay's ids are of eBay.com, whose list only signed-in sellers can read, so they
 * could not be verified. eBay refuses only the row with a wrong id, and the attribute `eBay category` overrides it.
 */
const categories: Readonly<Record<ItemType, Categories>> = {
  'T-Shirt': { shopify: top('T-Shirts'), google: '212', ebay: { men: '15687', women: '53159' } },
  'Long-Sleeve T-Shirt': { shopify: top('T-Shirts'), google: '212', ebay: { men: '15687', women: '53159' } },
  'Tank Top': { shopify: top('Tank Tops'), google: '212', ebay: { men: '15687', women: '53159' } },
  'Polo Shirt': { shopify: top('Polos'), google: '212', ebay: { men: '185101', women: '53159' } },
  Bodysuit: { shopify: top('Bodysuits'), google: '212', ebay: { women: '53159' } },
  Shirt: { shopify: top('Shirts'), google: '212', ebay: { men: '57990', women: '53159' } },
  Blouse: { shopify: top('Blouses'), google: '212', ebay: { women: '53159' } },
  Jumper: { shopify: top('Sweaters'), google: '212', ebay: { men: '11484', women: '63866' } },
  Cardigan: { shopify: top('Cardigans'), google: '212', ebay: { men: '11484', women: '63866' } },
  Sweatshirt: { shopify: top('Sweatshirts'), google: '212', ebay: { men: '155183', women: '155226' } },
  Hoodie: { shopify: top('Hoodies'), google: '212', ebay: { men: '155183', women: '155226' } },
  Jacket: { shopify: coats, google: '5598', ebay: { men: '57988', women: '63862' } },
  Coat: { shopify: coats, google: '5598', ebay: { men: '57988', women: '63862' } },
  Blazer: { shopify: coats, google: '5598', ebay: { men: '3002', women: '63865' } },
  Waistcoat: { shopify: clothing('Outerwear'), google: '1831', ebay: { men: '15691', women: '15775' } },
  Dress: { shopify: clothing('Dresses'), google: '2271', ebay: { women: '63861' } },
  Jumpsuit: { shopify: clothing('One-Pieces'), google: '5250', ebay: { women: '3009' } },
  Skirt: { shopify: clothing('Skirts'), google: '1581', ebay: { women: '63864' } },
  Trousers: { shopify: clothing('Pants > Trousers'), google: '204', ebay: { men: '57989', women: '63863' } },
  Jeans: { shopify: clothing('Pants > Jeans'), google: '204', ebay: { men: '11483', women: '11554' } },
  Joggers: { shopify: clothing('Pants > Joggers'), google: '204', ebay: { men: '57989', women: '63863' } },
  Leggings: { shopify: clothing('Pants > Leggings'), google: '204', ebay: { women: '169001' } },
  Shorts: { shopify: clothing('Shorts'), google: '207', ebay: { men: '15689', women: '11555' } },
  Shoes: { shopify: 'Shoes', google: '187', ebay: { men: '24087', women: '45333' } },
  Trainers: { shopify: 'Shoes > Sneakers', google: '187', ebay: { men: '15709', women: '95672' } },
  Boots: { shopify: 'Shoes > Boots', google: '187', ebay: { men: '11498', women: '53557' } },
  Sandals: { shopify: 'Shoes > Sandals', google: '187', ebay: { men: '11504', women: '62107' } },
  Heels: { shopify: 'Shoes > Heels', google: '187', ebay: { women: '55793' } },
  Slippers: { shopify: 'Shoes', google: '187', ebay: { men: '11505', women: '11632' } },
  Hat: { shopify: 'Clothing Accessories > Hats', google: '173', ebay: { men: '52365', women: '45230' } },
  Bag: {
    shopify: 'Handbags, Wallets & Cases > Handbags',
    google: '3032',
    ebay: { men: '52357', women: '169291' },
  },
  Belt: { shopify: 'Clothing Accessories > Belts', google: '169', ebay: { men: '2993', women: '3003' } },
  Scarf: { shopify: 'Clothing Accessories > Scarves & Shawls', google: '177', ebay: { men: '52382', women: '45238' } },
  Set: { shopify: clothing('Outfit Sets'), google: '7313', ebay: { men: '3001', women: '63865' } },
}

export const shopifyCategory = (itemType: ItemType): string => `Apparel & Accessories > ${categories[itemType].shopify}`

export const googleCategory = (itemType: ItemType): string => categories[itemType].google

/**
 * eBay.com's leaf categories for children. Tops are from a public project of 2026, shoes from copies of eBay's own
 * navigation. Public sources name no others, so sellers enter those.
 */
const childrensCategories = {
  tops: { boys: '260966', girls: '260965' },
  shoes: { boys: '57929', girls: '57974', babies: '147285' },
} as const

/** Returns eBay's category; empty if it is unknown. Unisex garments go to the men's category, or to the boys'. */
export function ebayCategory(itemType: ItemType, wearer: Wearer): string {
  const { ebay, google } = categories[itemType]
  if (wearer === 'unisex') return ebay.men ?? ebay.women ?? ''
  const isTop = google === '212'
  const { category } = itemOf(itemType)
  const known: Readonly<Partial<Record<Wearer, string>>> =
    category === 'Shoes' ? childrensCategories.shoes : isTop ? childrensCategories.tops : {}
  return ebay[wearer] ?? known[wearer === 'children' ? 'boys' : wearer] ?? ''
}
