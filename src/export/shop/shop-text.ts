import type { Condition } from '../../listing/condition.ts'
import type { Wearer } from '../../vision/attributes/wearer.ts'
import type { CatalogueEntry } from '../../vision/attributes/catalogue-entry.ts'
import type { Catalogue } from '../../vision/attributes/catalogue-entry.ts'
import type { Column } from '../csv.ts'
import { tagText } from '../result-columns.ts'
import type { Product } from './product.ts'

type ShopColumn = Column<Product>

const genders: Readonly<Record<Wearer, 'male' | 'female' | 'unisex'>> = {
  men: 'male',
  boys: 'male',
  women: 'female',
  girls: 'female',
  unisex: 'unisex',
  children: 'unisex',
  babies: 'unisex',
}

/** The word of Shopify and Google; empty if it is unknown. */
export const genderWord = ({ wearer }: Product): string => (wearer === undefined ? '' : genders[wearer])

/** The word of Shopify and Google, which know no grades of used; empty if it is unknown. */
export const conditionWord = ({ condition }: Product): string => {
  if (condition === undefined) return ''
  if (condition === 'refurbished') return condition
  return condition === 'new with tags' || condition === 'new without tags' ? 'new' : 'used'
}

/** Of clothing and accessories; eBay's numbers are the same on each of its sites. */
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

export const ebayCondition = ({ condition }: Product): string =>
  condition === undefined ? '' : ebayConditions[condition]

/** The text of an attribute in the words that the shops know; empty if it has no value. */
function shopText({ garment }: Product, { name, shopWord }: CatalogueEntry): string {
  const text = tagText(garment, name)
  return text === '' ? '' : (shopWord?.(text) ?? text)
}

/** A column for each that the attributes name, filled by the first of its attributes that has a value. */
export function attributeColumns(
  entries: Catalogue,
  columnOf: (entry: CatalogueEntry) => string | undefined,
): ShopColumn[] {
  const columns = Map.groupBy(entries, columnOf)
  return [...columns].flatMap(([name, filling]): ShopColumn[] =>
    name === undefined
      ? []
      : [[name, (product) => filling.map((entry) => shopText(product, entry)).find((text) => text !== '') ?? '']],
  )
}
