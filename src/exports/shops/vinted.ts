import { type Language, listingWords } from '../../garments/listing-texts/listing-words.ts'
import { toText } from '../../garments/listing-texts/write-listing.ts'
import { sizeText } from '../../garments/sizes/size-text.ts'
import { type Column, tagText } from '../export-columns.ts'
import type { Product } from './product.ts'
import { address, amount, type ShopRules } from './shop-rules.ts'

/**
 * Columns for tools that list on several markets. Vinted itself takes no file: sellers type listings in, and Vinted Pro
 * has an API. All words are in the language of the file.
 */
export function vintedColumns(language: Language): readonly Column<Product>[] {
  const words = listingWords[language]
  return [
    ['SKU', ({ sku }) => sku, { isRequired: true }],
    ['Title', ({ listing }) => listing.title, { isRequired: true }],
    ['Description', ({ listing }) => toText(listing)],
    ['Category', ({ itemType }) => (itemType === undefined ? '' : words.itemTypes[itemType]), { isExpected: true }],
    ['For', ({ wearer }) => (wearer === undefined ? '' : words.wearers[wearer])],
    ['Brand', ({ brand }) => brand],
    ['Size', ({ size }) => (size === null ? '' : sizeText(size, language))],
    [
      'Condition',
      ({ condition }) => (condition === undefined ? '' : words.conditions[condition]),
      { isExpected: true },
    ],
    ['Colour', ({ garment }) => words.values.Colour[tagText(garment, 'Colour')] ?? ''],
    ['Material', ({ garment }) => tagText(garment, 'Material')],
    ['Price', ({ price }) => price, { ...amount, isExpected: true }],
    ['Currency', ({ currency }) => currency],
    ['Photos', ({ imageUrls }) => imageUrls.join(' '), { ...address, pattern: /^https?:\/\//, addresses: ' ' }],
  ]
}

export const vintedRules: ShopRules = {
  source:
    'Columns of our own, because Vinted takes no file from sellers; Vinted Pro has an API ' +
    '(https://channelx.world/2024/10/vinted-pro-has-officially-launched-in-the-uk)',
  read: '2026-11-29',
}
